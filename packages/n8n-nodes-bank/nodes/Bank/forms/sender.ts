import { restCredential } from '../../shared/authentication.ts';
import { credentialOf } from '../../shared/http/credential.ts';
import { oncePerRun } from '../../shared/pipeline/run.ts';

/** Who sends a package, where the form leaves it to the credential. */
export interface Sender {
	partnerId: unknown;
	inn: unknown;
	account: unknown;
}

const nobody: Sender = { partnerId: undefined, inn: undefined, account: undefined };

/** The credential is read only where the form leaves something to it. */
export const senderOf = oncePerRun(async ({ context }): Promise<Sender> => {
	const { parameters } = context.getNode();
	if (Object.keys(nobody).every((name) => (parameters[name] ?? '') !== '')) return nobody;
	const credential = await credentialOf(context, restCredential('clientCredentials', undefined));
	const { partnerId, inn, account } = credential;
	return { partnerId, inn, account };
});
