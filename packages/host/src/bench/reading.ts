import { readFile } from 'node:fs/promises';

import { type Bed, openBed, sharedBed } from './bed.ts';
import type { Row } from './measure.ts';
import {
	cardLimits,
	cardLimitsByHttpRequest,
	type Flow,
	operations,
	operationsByHttpRequest,
	type Workflow,
} from './workflows.ts';

const cards = 1000;
const history = 10_000;
const longHistory = 100_000;
const pageSize = 100;

const oneCardAtATime = (name: string, flow: Flow, target?: string, concurrency?: number): Row => ({
	name,
	against: flow === 'mutualTls' ? 'HTTP Request, OAuth2 and certificate' : 'HTTP Request, OAuth2',
	target,
	async sides() {
		const bed = await sharedBed('sqlite');
		const isSecured = flow === 'mutualTls';
		return {
			ours: async () => await bed.run(cardLimits(flow, cards, concurrency)),
			other: async () =>
				await bed.run(cardLimitsByHttpRequest(isSecured ? bed.bank.tlsUrl : bed.bank.url, cards, isSecured)),
		};
	},
});

const wholeHistory = (name: string, delay: number, target?: string): Row => ({
	name,
	against: 'HTTP Request with pagination, Split Out',
	target,
	// More pairs than usual: a read is so short that one garbage collection takes a third of the time.
	pairs: 15,
	async sides() {
		const bed = await sharedBed('sqlite');
		const late = (workflow: () => Workflow) => async () => {
			Object.assign(bed.bank, { delay, operations: history });
			const milliseconds = await bed.run(workflow());
			bed.bank.delay = 0;
			return milliseconds;
		};
		return {
			ours: late(() => operations(history, pageSize)),
			other: late(() => operationsByHttpRequest(bed.bank.url, history, pageSize)),
		};
	},
});

/** Each measurement uses a new process, because memory left over from one would count for the next. */
const memoryOfHistory: Row = {
	name: '100,000 operations by Return All: memory above idle',
	against: 'HTTP Request with pagination, Split Out',
	warmUp: false,
	async sides() {
		const above = (workflow: (bed: Bed) => Workflow) => async () => {
			const own = await openBed();
			own.bank.operations = longHistory;
			const idle = await memoryOf(own, 'VmRSS');
			await own.runUnseen(workflow(own));
			const most = await memoryOf(own, 'VmHWM');
			await own.n8n.stop();
			return most - idle;
		};
		return {
			ours: above(() => operations(longHistory, 1000)),
			other: above(({ bank }) => operationsByHttpRequest(bank.url, longHistory, 1000)),
		};
	},
};

/** Memory of the n8n process in megabytes as reported by Linux: current (`VmRSS`) or maximum (`VmHWM`). */
async function memoryOf({ n8n }: Bed, field: 'VmRSS' | 'VmHWM'): Promise<number> {
	const status = await readFile(`/proc/${n8n.pid}/status`, 'utf8');
	const kilobytes = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1];
	if (kilobytes === undefined) throw new Error(`Linux does not report ${field} of n8n's process`);
	return Number(kilobytes) / 1024;
}

export const readingRows: Row[] = [
	oneCardAtATime('1,000 card-limit reads, Host-to-Host, plain HTTP, no delay', 'hostToHost', '<= 0.40'),
	oneCardAtATime('1,000 card-limit reads, Authorization Code', 'authorizationCode', '<= 0.70'),
	oneCardAtATime('1,000 card-limit reads, Host-to-Host over mutual TLS, 10 at a time', 'mutualTls', undefined, 10),
	wholeHistory('10,000 operations by Return All, 20 ms delay, 100 a page', 20),
	wholeHistory('10,000 operations by Return All, no delay', 0, '<= 0.40'),
	memoryOfHistory,
];
