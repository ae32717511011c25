import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialType } from 'n8n-workflow';

type Module = Record<string, new () => ICredentialType>;

const folder = join(__dirname, '../../credentials');

/** The credential types of the package. */
export const credentialClasses = readdirSync(folder).flatMap((file) =>
	Object.values(jest.requireActual<Module>(join(folder, file))).map((Type) => new Type()),
);
