import type { SignatureMethod } from '../method.ts';
import { cmsDetached } from './cmsDetached.ts';
import { rsaSha256 } from './rsaSha256.ts';

/** Saved workflows store these keys. */
export const signatureMethods = { cmsDetached, rsaSha256 } satisfies Record<string, SignatureMethod>;
