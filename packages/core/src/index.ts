export * from './boundedSet.ts';
export * from './client/call.ts';
export * from './client/choices.ts';
export * from './client/pages.ts';
export * from './client/payload.ts';
export * from './client/poll.ts';
export * from './client/prepare.ts';
export * from './client/throttle.ts';
export * from './client/verdict.ts';
export * from './errors/bankErrors.ts';
export * from './errors/byStatus.ts';
export * from './errors/connection.ts';
export { type ConnectionStep } from './errors/connectionErrors.ts';
export * from './errors/courier.ts';
export * from './errors/dialect.ts';
export * from './errors/entryScore.ts';
export { unconfirmedFieldIn, wordOf } from './errors/errorSigns.ts';
export * from './errors/failureDetails.ts';
export * from './errors/heldBackErrors.ts';
export * from './errors/httpResponse.ts';
export * from './errors/nextSteps.ts';
export * from './errors/redact.ts';
export * from './errors/rest.ts';
export * from './errors/unifiedChecks.ts';
export * from './events/eventProtocol.ts';
export * from './headers.ts';
export * from './json.ts';
export * from './keys.ts';
export * from './list.ts';
export * from './number.ts';
export * from './omitUndefined.ts';
export * from './operation.ts';
export * from './operations/accountOperation/bankOperation.ts';
export { finalStages, stages } from './operations/cardChannels/index.ts';
export * from './operations/cardIssuance/scans.ts';
export { tranchePurpose } from './operations/directDebit/index.ts';
export * from './operations/index.ts';
export * from './operations/payment/findPayments.ts';
export {
	exactTotal,
	readRecipients,
	type RecipientField,
	recipientFields,
	textToSign,
	withSignature,
} from './operations/payment/package.ts';
export * from './operations/unifiedChecks/checks.ts';
export * from './operations/unifiedChecks/messages.ts';
export * from './operations/unifiedChecks/names.ts';
export { hostIssues, hostOf } from './operations/webhook/update.ts';
export * from './page.ts';
export * from './path.ts';
export * as paymentProtocol from './payments/protocol.ts';
export { isBlank, toRequest } from './schemas/coerce.ts';
export { fields, hintsOf } from './schemas/fields.ts';
export * from './schemas/instant.ts';
export { decimalValue, hundredths, hundredthsText } from './schemas/money.ts';
export * from './schemas/unwrap.ts';
export * from './serviceDetails/index.ts';
export * from './text.ts';
export * from './triggers/courierOrder.ts';
export * from './triggers/deduplicator.ts';
export * from './triggers/delivery.ts';
export { readCursor, shiftDay, writeCursor } from './triggers/operationsCursor.ts';
export * from './triggers/operationsTracker.ts';
export * from './triggers/readOperations.ts';
export * from './triggers/subscription.ts';
export * from './validation.ts';
