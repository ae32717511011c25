/** Operations by resource and name, with the types of their fields. */
import { application as cardApplication } from './cardIssuance/index.ts';
import { application as courierApplication } from './courier/index.ts';

export { accountOperation } from './accountOperation/index.ts';
export { channelApplication, preApproved } from './cardChannels/index.ts';
export { card, configuration, issuance, offer, printForm, scan, scoring } from './cardIssuance/index.ts';
export { cardLimit } from './cardLimit/index.ts';
export { courier, file } from './courier/index.ts';
export { directDebit } from './directDebit/index.ts';
export { entryScore } from './entryScore/index.ts';
export { loanApplication } from './loanApplication/index.ts';
export { payment } from './payment/index.ts';
export { profile } from './profile/index.ts';
export { statement } from './statement/index.ts';
export { taxpayerAccount } from './taxpayerAccount/index.ts';
export { trip } from './trips/index.ts';
export { unifiedCheck } from './unifiedChecks/index.ts';
export { webhook } from './webhook/index.ts';

/** The resource *Application* of two nodes: each node has its own operations. */
export const application = { ...cardApplication, ...courierApplication };
