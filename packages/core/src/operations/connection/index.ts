import { check } from './check.ts';

export const connection = { check };
