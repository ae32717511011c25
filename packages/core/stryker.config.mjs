import base from '../../stryker.base.mjs';

export default { ...base, mutate: ['src/{client,errors,schemas,triggers}/**/*.ts', 'src/operations/payment/**/*.ts'] };
