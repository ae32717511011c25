export { applyServiceDetails, completeInput, type GivenFile, missingDetails, readiness } from './apply.ts';
export { isOutsideBody, placeholdersIn } from './check.ts';
export { overrideServiceDetails, parseServiceDetails } from './parse.ts';
export { detailsSchema, type FieldDetails, type OperationDetails, type ServiceDetails } from './schema.ts';
