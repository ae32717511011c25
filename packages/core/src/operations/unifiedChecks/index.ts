import type { Operation } from '../../operation.ts';
import { run } from './run.ts';

export const unifiedCheckOperations: readonly Operation[] = [run];
