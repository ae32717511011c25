import { N8N_NODES_API_VERSION } from 'n8n-workflow';

const level: number | undefined = N8N_NODES_API_VERSION;

/**
 * Whether this is an n8n before 2.39, the first that exports the level. Such an n8n sends a payment once more after a 401, and before
 * 2.36 it takes a failed item for a success if it holds more than `error` and `message`.
 */
export const isOldN8n = level === undefined;
