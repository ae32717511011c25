import { get } from './get.ts';

export const taxpayerAccount = { get };
