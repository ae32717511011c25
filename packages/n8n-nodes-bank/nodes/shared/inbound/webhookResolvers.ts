/**
 * Under this symbol n8n (2.41 and newer) looks for functions of a webhook, which it calls instead of evaluating the
 * webhook's expressions. It evaluates expressions before it reads the body, so each client that sends its body slowly
 * would block an expression engine.
 */
export const resolversSymbol = Symbol.for('n8n.webhookDescriptionResolvers');
