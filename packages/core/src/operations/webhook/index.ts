import { deleteWebhook } from './delete.ts';
import { get } from './get.ts';
import { update } from './update.ts';

/** By name in the form. */
export const webhook = { get, update, delete: deleteWebhook };
