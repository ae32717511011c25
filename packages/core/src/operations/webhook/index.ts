import { deleteWebhook } from './delete.ts';
import { get } from './get.ts';
import { update } from './update.ts';

export const webhookOperations = [get, update, deleteWebhook] as const;
