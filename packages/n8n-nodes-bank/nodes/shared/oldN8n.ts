import { N8N_NODES_API_VERSION } from 'n8n-workflow';

const level: number | undefined = N8N_NODES_API_VERSION;

/**
 * Whether n8n is older than 2.39, the first version that exports `level`. Such a version sends a payment again after a
 * 401. Before 2.36, it also treats a failed item as successful if it has other keys than `error` and `message`.
 */
export const isOldN8n = level === undefined;
