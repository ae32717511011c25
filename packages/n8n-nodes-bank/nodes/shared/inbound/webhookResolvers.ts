/**
 * n8n (2.41 and newer) looks under this symbol of a webhook for functions to call instead of evaluating its expressions. It
 * evaluates expressions before it reads the body, so each client that sends its body slowly would block an expression
 * engine.
 */
export const resolvers = Symbol.for('n8n.webhookDescriptionResolvers');
