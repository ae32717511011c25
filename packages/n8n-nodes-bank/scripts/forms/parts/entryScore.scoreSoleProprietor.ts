/** Both scores have the same form. */
export { parts } from './entryScore.scoreCompany.ts';
