import { deleteWebhook } from './delete.ts';
import { get } from './get.ts';
import { update } from './update.ts';

export const webhook = { get, update, delete: deleteWebhook };
