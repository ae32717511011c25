import { done } from './done.ts';
import { listUnfinished } from './listUnfinished.ts';
import { skipRepeats } from './skipRepeats.ts';

export const event = { done, listUnfinished, skipRepeats };
