import type { Operation } from '../operation.ts';
import { operations } from '../operations/index.ts';
import { isData, type OperationDetails, type ServiceDetails } from './details.ts';
import { detailsSchema } from './schema.ts';

/**
 * The keys that a request needs and the details lack.
 * @param has what the caller provides in another way: a complete body, or a credential with its own token
 */
export function missingDetails(
	operation: Operation,
	{ method, path, names = {}, fields = {}, token }: OperationDetails,
	has: { body?: boolean; token?: boolean } = {},
): string[] {
	const unnamed = Object.keys(operation.unnamedFields?.entries ?? {}).filter((name) => names[name] === undefined);
	return [
		...(operation.method === undefined && method === undefined ? ['method'] : []),
		...(operation.path === undefined && path === undefined ? ['path'] : []),
		...unnamed.map((name) => `names.${name}`),
		...(operation.payload?.required === true && !Object.values(fields).some(isData) && has.body !== true
			? ['fields']
			: []),
		...(operation.accessToken === undefined || has.token === true ? [] : missingTokenKeys(token)),
	];
}

function missingTokenKeys(token: OperationDetails['token']): string[] {
	if (token?.sendAs === undefined) return ['token.sendAs'];
	return token.sendAs !== 'bearer' && token.name === undefined ? ['token.name'] : [];
}

/**
 * Lists the operations of the partner services that can be used with a credential, and what is missing for the rest.
 * @param auths ways to authenticate for which the API description lists the operations
 */
export function readiness(
	details: ServiceDetails,
	auths: readonly Operation['auth'][],
	hasToken: boolean,
): { ready: string[]; lacking: { operation: string; missing: string[] }[] } {
	const all = operations
		.filter((operation) => auths.includes(operation.auth) && Object.keys(detailsSchema(operation).entries).length > 0)
		.map((operation) => ({
			operation: operation.id,
			missing: missingDetails(operation, details[operation.id] ?? {}, { token: hasToken }),
		}));
	return {
		ready: all.filter(({ missing }) => missing.length === 0).map(({ operation }) => operation),
		lacking: all.filter(({ missing }) => missing.length > 0),
	};
}
