export * from './client/call.ts';
export { choicesIn, type Chosen } from './client/choices.ts';
export * from './client/pages.ts';
export { type Part, withoutEmptyFields } from './client/payload.ts';
export * from './client/prepare.ts';
export { Throttle } from './client/throttle.ts';
export { callUntil, type Ready, type UntilOptions } from './client/until.ts';
export {
	BankApiError,
	headerOf,
	isAway,
	alreadyClaimed,
	heldBackWith,
	isBankFailure,
	noAnswer,
	stillClaimed,
	unconfirmed,
	NoAnswerError,
	readForAnother,
	requestIdOf,
	type Answer,
	type AnswerFile,
	type FailureDetails,
	type FailureKind,
	type KnownBy,
	type Outcome,
	type SendFault,
	type Shortfall,
	stepsFor,
	unreadable,
} from './errors/bankErrors.ts';
export { cardIssuance } from './errors/cardIssuance.ts';
export { connectionCode, connectionCodes, connectionFault, type ConnectionFault } from './errors/connection.ts';
export { courier } from './errors/courier.ts';
export { type Dialect, type Explanation, type ServiceError } from './errors/dialect.ts';
export { entryScore } from './errors/entryScore.ts';
export { type ConnectionStep, type NextStep } from './errors/nextSteps.ts';
export { profile } from './errors/profile.ts';
export { excerpt, type Hide, isSecretName, redact, withoutRuns } from './errors/redact.ts';
export { explainRest, type ListedError, readRestError, rest } from './errors/rest.ts';
export { unifiedChecks } from './errors/unifiedChecks.ts';
export { faultText, InputError, joinPath, type Fault, type FaultCode } from './faults.ts';
export { headerNameFault } from './headers.ts';
export { canonicalJson, isRecord, jsonOrText, outlineOf, parseExact } from './json.ts';
export { keysOf } from './keys.ts';
export { labelOf } from './labels.ts';
export { type ListedValue, splitList, valuesIn } from './list.ts';
export { BoundedMemory } from './memory.ts';
export { wholeNumber, wholeNumbers } from './number.ts';
export * from './operation.ts';
export { type BankOperation, simplifyOperation } from './operations/accountOperation/bankOperation.ts';
export { finalStages, stages } from './operations/cardChannels/index.ts';
export { fullApplicationDocuments } from './operations/cardIssuance/index.ts';
export { scanFaults } from './operations/cardIssuance/scans.ts';
export { tranchePurpose } from './operations/directDebit/index.ts';
export { scoreCategory } from './operations/entryScore/index.ts';
export {
	checkConnection,
	definitions,
	type Definitions,
	findInOperations,
	findOperation,
	offeredOf,
	type NodeName,
	operationById,
	preparePackage,
	operations,
	resources,
	resourcesOf,
	type Resource,
	type RestOperation,
	restOperations,
} from './operations/index.ts';
export { findPayments, phoneDigits, type Found, type FoundResult, type Sought } from './operations/payment/found.ts';
export { type RecipientField, recipientFields } from './operations/payment/recipientFields.ts';
export { exactTotal, readRecipients } from './operations/payment/rules.ts';
export {
	type SignaturePosition,
	signaturePositions,
	toSign,
	withoutSignature,
	withSignature,
} from './operations/payment/signedBody.ts';
export { type CheckResult, type CheckVerdict, readChecks } from './operations/unifiedChecks/checks.ts';
export { messageOf, messageTables, type Weight } from './operations/unifiedChecks/messages.ts';
export { type CheckName, checkNames, isCheckName } from './operations/unifiedChecks/names.ts';
export { asRegistered, hostFaults, hostOf, noAccounts } from './operations/webhook/update.ts';
export { fieldAt, isFree, placeOf, withValueAt } from './path.ts';
export { fromResponse, kindOf, toRequest, unwrap } from './schemas/conform.ts';
export { fields, hintsOf, type Hints } from './schemas/fields.ts';
export { dayIn, instantOf } from './schemas/instant.ts';
export { decimalValue, hundredths, hundredthsText } from './schemas/money.ts';
export { ArrivalMemory, mostOfOneDelivery } from './triggers/arrivals.ts';
export {
	type CourierCode,
	courierCodes,
	type CourierOptions,
	type CourierOrder,
	type CourierRefusal,
	courierRefusal,
	isCourierRefusal,
	readOrders,
	newOf,
} from './triggers/courierOrder.ts';
export { type DeliveredEvent, type DeliveryOptions, readDelivery } from './triggers/delivery.ts';
export { glance } from './triggers/glance.ts';
export {
	type Advance,
	advance,
	advanceByGlance,
	type CursorOptions,
	oldestFirst,
	type OperationEvent,
	type OperationsCursor,
	planRead,
	type ReadEnd,
	type ReadPlan,
	readCursor,
	shiftDay,
	writeCursor,
} from './triggers/operationsCursor.ts';
export { textOf, textOrNumber, verbatim } from './text.ts';
export * from './triggers/subscription.ts';
