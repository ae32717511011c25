export {
	type FieldDetails,
	isOutsideBody,
	methods,
	type OperationDetails,
	placeholdersIn,
	type ServiceDetails,
} from './details.ts';
export { missingDetails, readiness } from './missing.ts';
export { overrideServiceDetails, parseServiceDetails } from './parse.ts';
export { detailsSchema } from './schema.ts';
