export * from './client/call.ts';
export { readChoices, type ChoiceOption } from './client/choices.ts';
export * from './client/pages.ts';
export type { Page, PageRange } from './page.ts';
export { type Part, withoutEmptyFields } from './client/payload.ts';
export * from './client/prepare.ts';
export { Throttle } from './client/throttle.ts';
export { pollUntil, type PollOptions } from './client/poll.ts';
export { type ReadyCondition, readyConditionOf, verdictOf } from './client/verdict.ts';
export {
	BankApiError,
	createListTooLargeError,
	isTemporarilyUnavailable,
	createAlreadySentError,
	isBankFailure,
	createNoAnswerError,
	createUnconfirmedError,
	NoAnswerError,
	createPrerequisiteReadError,
	type TransportError,
	type Shortfall,
	createHeldBackError,
	createUnreadableError,
} from './errors/bankErrors.ts';
export { type FailureDetails, type FailureKind, type Outcome } from './errors/failureDetails.ts';
export {
	type AuthenticatedBy,
	headerOf,
	type HttpResponse,
	requestIdOf,
	type ResponseFile,
} from './errors/httpResponse.ts';
export { ambiguousPaymentStatuses, stepsFor } from './errors/rejection.ts';
export { cardIssuance } from './errors/cardIssuance.ts';
export { connectionCode, connectionCodes, connectionErrorInfo, type ConnectionErrorInfo } from './errors/connection.ts';
export { courier } from './errors/courier.ts';
export { type Dialect, type Explanation, type ServiceError } from './errors/dialect.ts';
export { entryScore } from './errors/entryScore.ts';
export { type ConnectionStep, type NextStep } from './errors/nextSteps.ts';
export { profile } from './errors/profile.ts';
export { excerpt, type Hide, isSecretName, redact, redactLongRuns } from './errors/redact.ts';
export { explainRest, type ListedError, readRestError, rest } from './errors/rest.ts';
export { unifiedChecks } from './errors/unifiedChecks.ts';
export {
	collectIssues,
	issueKind,
	issueText,
	InputError,
	joinPath,
	type ValidationIssue,
	type ValidationIssueCode,
} from './validation.ts';
export { headerNameProblem } from './headers.ts';
export { canonicalJson, isRecord, jsonOrText, scanJson, parseLossless } from './json.ts';
export { keysOf } from './keys.ts';
export { labelOf } from './labels.ts';
export { omitUndefined } from './omitUndefined.ts';
export { groupedNumberProblem, type ListedValue, splitList, parseList } from './list.ts';
export { BoundedSet } from './boundedSet.ts';
export { wholeNumber, wholeNumbers } from './number.ts';
export * from './operation.ts';
export { type BankOperation, simplifyOperation } from './operations/accountOperation/bankOperation.ts';
export { finalStages, stages } from './operations/cardChannels/index.ts';
export { fullApplicationDocuments } from './operations/cardIssuance/index.ts';
export { scanIssues } from './operations/cardIssuance/scans.ts';
export { tranchePurpose } from './operations/directDebit/index.ts';
export { scoreCategory } from './operations/entryScore/index.ts';
export {
	checkConnection,
	definitions,
	type Definitions,
	findInOperations,
	findOperation,
	allOperationsOf,
	type NodeName,
	operationById,
	preparePackage,
	resolvePayment,
	operations,
	resources,
	resourcesOf,
	type Resource,
	type RestOperation,
	restOperations,
} from './operations/index.ts';
export {
	findPayments,
	unmatchedExpenses,
	phoneDigits,
	phoneNumber,
	type PaymentMatch,
	type PaymentMatchResult,
	type PaymentQuery,
} from './operations/payment/findPayments.ts';
export { type RecipientField, recipientFields } from './operations/payment/recipientFields.ts';
export { exactTotal, readRecipients } from './operations/payment/rules.ts';
export {
	type SignaturePosition,
	signaturePositions,
	textToSign,
	withoutSignature,
	withSignature,
} from './operations/payment/signedBody.ts';
export { type CheckResult, type CheckVerdict, readChecks } from './operations/unifiedChecks/checks.ts';
export { messageOf, messageTables, type MessageEffect } from './operations/unifiedChecks/messages.ts';
export { type CheckName, checkNames, isCheckName } from './operations/unifiedChecks/names.ts';
export { withRegisteredQuery, hostIssues, hostOf, noAccountsIssue } from './operations/webhook/update.ts';
export { fieldAt, isPathFree, parsePath, withoutField, withValueAt } from './path.ts';
export { isBlank, kindOf, toRequest } from './schemas/coerce.ts';
export { fromResponse } from './schemas/coerceResponse.ts';
export { fields, hintsOf, type Hints } from './schemas/fields.ts';
export * from './serviceDetails/index.ts';
export { dayIn, instantOf } from './schemas/instant.ts';
export { decimalValue, hundredths, hundredthsText } from './schemas/money.ts';
export { unwrap } from './schemas/unwrap.ts';
export { Deduplicator, maxPerDelivery } from './triggers/deduplicator.ts';
export {
	type CourierCode,
	courierCodes,
	type CourierOptions,
	type CourierOrder,
	type CourierRefusal,
	courierRefusal,
	isCourierRefusal,
	readOrders,
	newOrders,
} from './triggers/courierOrder.ts';
export { type DeliveredEvent, type DeliveryOptions, readDelivery } from './triggers/delivery.ts';
export { readCursor, shiftDay, writeCursor } from './triggers/operationsCursor.ts';
export {
	type CursorOptions,
	oldestFirst,
	type OperationEvent,
	OperationsTracker,
	type ReadPlan,
} from './triggers/operationsTracker.ts';
export { readOperations } from './triggers/readOperations.ts';
export { textOf, textOrNumber, verbatim } from './text.ts';
export * from './triggers/subscription.ts';
