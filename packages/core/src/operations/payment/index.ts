import { sendPackage } from './sendPackage.ts';

export const paymentOperations = [sendPackage] as const;
