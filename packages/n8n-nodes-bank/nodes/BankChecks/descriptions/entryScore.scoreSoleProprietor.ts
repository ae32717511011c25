/** Both scores are asked for alike. */
export { parts } from './entryScore.scoreCompany.ts';
