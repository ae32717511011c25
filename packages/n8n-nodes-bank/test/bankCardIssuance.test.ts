/**
 * 4.15 and 4.16: each step sends what the description says, completely or not at all, and only once if the bank allows it once. The
 * output contains deadlines and results.
 */
import { operationById } from '@bank/core';
import { likelyMethod } from '@bank/core/docs';

import { oracle } from '../../fixtures/src/oracle.ts';
import { BankCardIssuance } from '../nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { binaryFile, jsonOf, refusalOf, runOf, type RunOptions, useBank } from './support/bank.ts';
import { plainFields, smallestSample } from './support/samples.ts';

let mockClock = 0;
// Time passes only while the node sleeps.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (milliseconds: number) => {
		mockClock += milliseconds;
	},
}));

const bank = useBank();
const run = runOf(BankCardIssuance);
const start = Date.parse('2026-01-31T09:00:00.000Z');
const appId = '1001';
const calls = () => bank().seen.map(({ method, path }) => `${method} ${path}`);
const bodies = () => bank().seen.map(({ body }) => body);

beforeEach(() => {
	mockClock = start;
	jest.spyOn(Date, 'now').mockImplementation(() => mockClock);
});
afterEach(() => jest.restoreAllMocks());

const documents = {
	passportMain: binaryFile('main', 'passport.jpg', 'image/jpeg'),
	passportRegistration: binaryFile('registration', 'registration.jpg', 'image/jpeg'),
	personalDataConsent: binaryFile('consent', 'consent.pdf', 'application/pdf'),
	clientPhoto: binaryFile('photo', 'photo.png', 'image/png'),
};
const full = { appId, payload: '{"income": 90000}' };
const complete = (parameters: Record<string, unknown> = {}, options: RunOptions = {}) =>
	run('application.complete', { ...full, ...parameters }, { binary: [documents], ...options });

describe('every step', () => {
	const steps = oracle.filter(({ node }) => node === 'bankCardIssuance');
	const values: Record<string, string> = { appId: 'a&b c', offerId: 'o=1' };

	it('calls its address, with its identifiers each as one segment', async () => {
		for (const { id, method, path = '', unnamedFields = {} } of steps) {
			const { input } = smallestSample(id);
			const unnamed = Object.entries(input.unnamedFields ?? {}).map(([name, { value }]) => [name, value]);
			expect(unnamed).toHaveLength(Object.keys(unnamedFields).length);
			const names = Object.fromEntries(unnamed.map(([name]) => [name, 'field']));
			const parameters = {
				...values,
				...plainFields(input),
				payload: '{"a": 1}',
				...Object.fromEntries(unnamed),
				names,
			};
			await run(id, parameters, { binary: [{ ...documents, data: binaryFile('x') }] });
			const asked = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
			expect(calls().at(-1)).toBe(`${method ?? likelyMethod(operationById(id))} ${asked}`);
			expect(bank().seen.at(-1)?.headers.accept).toBe('application/json');
		}
		expect(calls()).toHaveLength(steps.length);
	});

	it('sends no body where there is nothing to send', async () => {
		await run('issuance.confirm', { appId });
		expect(bank().seen).toMatchObject([{ text: '' }]);
		expect(bank().seen[0]?.headers).not.toHaveProperty('content-type');
	});
});

describe('optional fields without information (4.15, rule 1)', () => {
	const payload = () => ({
		name: 'Anna',
		middleName: '',
		phone: null,
		address: { city: ' ', flat: undefined },
		jobs: [],
		cards: [{ id: 0 }, {}],
		consent: false,
	});

	it('are absent from the body', async () => {
		await run('application.create', { payload });
		expect(bodies()).toEqual([{ name: 'Anna', cards: [{ id: 0 }], consent: false }]);
	});

	it('go as they are where the user wants them kept', async () => {
		await run('application.create', { payload, options: { keepEmpty: true } });
		expect(bodies()).toEqual([
			{
				name: 'Anna',
				middleName: '',
				phone: null,
				address: { city: ' ' },
				jobs: [],
				cards: [{ id: 0 }, {}],
				consent: false,
			},
		]);
	});
});

describe('the full application', () => {
	it('carries the four documents as files of a form where the bank wants one, beside its fields', async () => {
		const payload = () => ({ income: 90000, name: 'Anna', address: { city: 'Moscow' }, note: '' });
		await complete({ serviceDetails: { files: { sendAs: 'multipart' }, payload } });
		expect(bank().seen[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		expect(bank().seen[0]?.parts).toEqual([
			['income', '90000'],
			['name', 'Anna'],
			['address', '{"city":"Moscow"}'],
			['passportMain', { fileName: 'passport.jpg', type: 'image/jpeg', text: 'main' }],
			['passportRegistration', { fileName: 'registration.jpg', type: 'image/jpeg', text: 'registration' }],
			['personalDataConsent', { fileName: 'consent.pdf', type: 'application/pdf', text: 'consent' }],
			['clientPhoto', { fileName: 'photo.png', type: 'image/png', text: 'photo' }],
		]);
	});

	it('takes each file from its own item', async () => {
		await complete(
			{ serviceDetails: { files: { sendAs: 'multipart' }, payload: '{"income": 90000}' } },
			{ items: [{}, {}], binary: [documents, { ...documents, clientPhoto: binaryFile('another') }] },
		);
		expect(bank().seen.map(({ parts }) => parts?.at(-1)?.[1])).toEqual([
			{ text: 'photo', fileName: 'photo.png', type: 'image/png' },
			{ text: 'another', fileName: 'clientPhoto', type: 'text/plain' },
		]);
	});

	it('is not sent when a binary field is missing, and the message names those that there are', async () => {
		const { clientPhoto: _photo, ...three } = documents;
		const refusal = await refusalOf(complete({}, { binary: [three] }));
		expect(refusal.message).toBe(
			'Input Binary Field must be the name of a binary field of the input item; "clientPhoto" does not exist. ' +
				'The item has: passportMain, passportRegistration, personalDataConsent (Files[3])',
		);
		expect(bank().seen).toEqual([]);
	});

	it('is not sent when the item has no file at all', async () => {
		expect((await refusalOf(complete({}, { binary: [] }))).message).toContain(
			'The item has no binary field: add a node that returns files before this one',
		);
		expect(bank().seen).toEqual([]);
	});
});

describe('scans of the signed forms (4.15, rule 3)', () => {
	const scans = { agreement: binaryFile('a'), consent: binaryFile('c'), photo: binaryFile('p') };
	const upload = (names: string[], parameters: Record<string, unknown>, options: RunOptions = {}) =>
		run(
			'scan.upload',
			{ appId, files: { file: names.map((name) => ({ binaryField: name, field: '' })) }, ...parameters },
			{ binary: [scans], ...options },
		);
	const sent = () => bodies().map((body) => Object.keys(body as object));

	it.each([
		['values', ['agreement', 'consent']],
		['text', 'agreement, Consent'],
		['JSON', '["agreement","consent"]'],
		['an expression', () => ['agreement', 'consent']],
	])('are the whole set when the required documents, given as %s, are all there', async (_name, requiredDocuments) => {
		await upload(['agreement', 'consent'], { requiredDocuments });
		expect(sent()).toEqual([['agreement', 'consent']]);
	});

	it('are not sent while a required document is missing', async () => {
		const refusal = await refusalOf(upload(['agreement'], { requiredDocuments: ['agreement', 'consent', 'photo'] }));
		expect(refusal.message).toBe(
			'Files lack "consent", "photo": the first upload carries the whole set in one request',
		);
		expect(bank().seen).toEqual([]);
	});

	it('are, in a repeat, exactly the rejected documents', async () => {
		await upload(['consent'], { upload: 'rejected', rejectedDocuments: ['consent'] });
		expect(sent()).toEqual([['consent']]);
	});

	it.each([
		[
			'carry a document that was not rejected',
			['consent', 'photo'],
			['consent'],
			'Files hold "photo", which the bank did not reject: a repeat carries only rejected documents',
		],
		['are not told what was rejected', ['consent'], [], 'Rejected Documents is required'],
	])('are not sent in a repeat when they %s', async (_name, names, rejectedDocuments, fault) => {
		expect((await refusalOf(upload(names, { upload: 'rejected', rejectedDocuments }))).message).toContain(fault);
		expect(bank().seen).toEqual([]);
	});

	it('are compared by their documents, wherever they go into', async () => {
		const file = (binaryField: string, field: string, document = '') => ({ binaryField, field, document });
		const repeat = (rows: object[], rejectedDocuments: string[]) =>
			upload([], { upload: 'rejected', rejectedDocuments, files: { file: rows } });
		await repeat([file('consent', 'scans[0].content'), file('photo', 'scans[1].content')], ['photo', 'consent']);
		await repeat([file('consent', 'scans[0].content', 'Form 1'), file('photo', 'b', 'Form 2')], ['Form 1', 'Form 2']);
		expect(bank().seen).toHaveLength(2);
		const strange = await refusalOf(repeat([file('consent', 'consent', 'Form 1')], ['consent']));
		expect(strange.text).toContain('Files lack "consent": every document that was rejected');
		expect(bank().seen).toHaveLength(2);
	});
});

describe('print forms are generated once per application (part 8)', () => {
	const generate = (parameters: Record<string, unknown> = {}, options: RunOptions = {}) =>
		run('printForm.generate', { appId: '={{ $json.id }}', ...parameters }, { items: [{ id: '1' }], ...options });
	let execution = 0;
	/** Executions of one workflow. */
	const workflow = () => {
		const remembered = new Set<string>();
		return (parameters: Record<string, unknown> = {}, options: RunOptions = {}) =>
			generate(parameters, { remembered, executionId: String(++execution), ...options });
	};

	it('so the same one twice in a run is refused before anything is sent', async () => {
		const refusal = await refusalOf(generate({}, { items: [{ id: '1' }, { id: '2' }, { id: '1' }] }));
		expect(refusal.message).toBe(
			'Application ID is the same as in item 0. Remove duplicates before this node (item 2)',
		);
		expect(bank().seen).toEqual([]);
	});

	it('so of the same one twice the second is refused and the others go, when the node goes on', async () => {
		const output = await generate({}, { items: [{ id: '1' }, { id: '1' }, { id: '2' }], continueOnFail: true });
		expect(calls()).toEqual(['POST /applications/1/docs/printForms', 'POST /applications/2/docs/printForms']);
		expect(output).toMatchObject([
			{ pairedItem: { item: 0 } },
			{ json: { details: { outcome: 'notSent' } }, pairedItem: { item: 1 } },
			{ pairedItem: { item: 2 } },
		]);
	});

	it('so another execution of the workflow does not ask again', async () => {
		const execute = workflow();
		await execute();
		const refusal = await refusalOf(execute());
		expect(refusal.message).toContain('it was already sent, and is not sent again');
		expect(refusal.description).toContain(
			'read its state instead of sending it again. To send it again anyway, turn on the option Ask Again.',
		);
		expect(bank().seen).toHaveLength(1);
		await execute({}, { items: [{ id: '2' }] });
		expect(bank().seen).toHaveLength(2);
	});

	it('unless the user says so', async () => {
		const execute = workflow();
		await execute();
		await execute({ options: { askAgain: true } });
		expect(bank().seen).toHaveLength(2);
		// From then on, the request counts as sent.
		await refusalOf(execute());
		expect(bank().seen).toHaveLength(2);
	});

	it.each([400, 403, 409])('but a rejection with %i lets the next execution ask', async (status) => {
		const execute = workflow();
		bank().answer = () => [status, { message: 'no' }];
		expect((await refusalOf(execute())).description).toContain('Nothing changed at the bank.');
		bank().answer = () => [200, {}];
		await execute();
		expect(bank().seen).toHaveLength(2);
	});

	it.each([500, 503])('but not %i, after which the forms may have been generated', async (status) => {
		const execute = workflow();
		bank().answer = () => [status];
		expect((await refusalOf(execute())).description).toContain('It is unknown whether the bank carried this out');
		expect((await refusalOf(execute())).message).toContain('it was already sent');
		expect(bank().seen).toHaveLength(1);
	});

	it('and Retry On Fail answers from what was accepted before, instead of asking again', async () => {
		const [context, remembered] = [{}, new Set<string>()];
		bank().answer = ({ path }) => (path.includes('/2/') && bank().seen.length === 2 ? [503] : [200, { task: path }]);
		const items = [{ id: '1' }, { id: '2' }];
		await refusalOf(generate({}, { items, context, remembered }));
		await refusalOf(generate({}, { items, context, remembered }));
		expect(calls()).toEqual(['POST /applications/1/docs/printForms', 'POST /applications/2/docs/printForms']);
	});
});

describe('a deadline of four hours (part 8)', () => {
	it.each([
		['offer.getMany', 'cardDeadline', {}],
		['offer.select', 'cardDeadline', { offerId: 'o-1' }],
		['printForm.getResult', 'scanDeadline', {}],
	])('follows %s as %s', async (id, field, parameters) => {
		bank().answer = () => [200, { state: 'ok' }];
		expect(jsonOf(await run(id, { appId, ...parameters }))).toEqual([
			{ state: 'ok', [field]: '2026-01-31T13:00:00.000Z' },
		]);
	});

	it('counts from the result that was waited for', async () => {
		bank().answer = () => (bank().seen.length < 4 ? [202, {}] : [200, { state: 'DONE' }]);
		expect(jsonOf(await run('printForm.getResult', { appId, waitForResult: true }))).toEqual([
			{ state: 'DONE', scanDeadline: '2026-01-31T13:00:30.000Z' },
		]);
	});
});

describe('waiting for a result', () => {
	const wait = (parameters: Record<string, unknown> = {}, options: RunOptions = {}) =>
		run('scoring.getShort', { appId, waitForResult: true, ...parameters }, options);
	/** Responses in turn; the last one repeats. */
	const answers = (...list: [number, unknown?][]) =>
		(bank().answer = () => list[Math.min(bank().seen.length, list.length) - 1] ?? [500]);
	const states = (...list: unknown[]) =>
		answers(...list.map((state): [number, unknown] => [200, { scoring: { state } }]));

	it('asks once unless it is switched on', async () => {
		states('IN_PROGRESS');
		expect(jsonOf(await run('scoring.getShort', { appId }))).toEqual([{ scoring: { state: 'IN_PROGRESS' } }]);
		expect(bank().seen).toHaveLength(1);
	});

	it.each([
		[
			'an answer with content',
			{},
			[
				[202, { state: 'QUEUED' }],
				[200, ''],
				[200, {}],
				[200, { score: 1 }],
			],
			{ score: 1 },
		],
		[
			'one of the values',
			{ responses: { ready: { field: 'state', values: ['APPROVED', 'DECLINED'] } } },
			[
				[200, { state: 'NEW' }],
				[200, {}],
				[200, { state: 'DECLINED' }],
			],
			{ state: 'DECLINED' },
		],
	] as [string, Record<string, unknown>, [number, unknown][], unknown][])(
		'for %s asks every ten seconds until it is there',
		async (_name, parameters, list, result) => {
			answers(...list);
			expect(await wait(parameters)).toEqual([{ json: result, pairedItem: { item: 0 } }]);
			expect(bank().seen).toHaveLength(list.length);
			expect(mockClock - start).toBe((list.length - 1) * 10_000);
		},
	);

	it('ends at the deadline with what the bank said last, and says how to continue', async () => {
		states('IN_PROGRESS');
		const refusal = await refusalOf(
			wait({ responses: { ready: { field: 'scoring.state', values: ['DONE'] } }, options: { waitAtMost: 25 } }),
		);
		expect(refusal.message).toBe('Get result of short scoring: the result was not ready after 25 seconds');
		expect(refusal.description).toContain('Last response: scoring.state "IN_PROGRESS".');
		expect(refusal.description).toContain('Run again to continue waiting');
		// At 0, 10 and 20 seconds, and for the last time at 25 seconds.
		expect(bank().seen).toHaveLength(4);
	});

	it.each([
		['no time between', { options: { waitEvery: 0 } }, 'Wait Between Requests must be a number of seconds above 0'],
		['no time at all', { options: { waitAtMost: 'soon' } }, 'Wait at Most must be a number of seconds above 0'],
	])('with %s is refused before anything is asked', async (_name, parameters, fault) => {
		expect((await refusalOf(wait(parameters))).message).toContain(fault);
		expect(bank().seen).toEqual([]);
	});
});

describe('the status of a channel application (3.6)', () => {
	it.each([
		['CARD_ISSUE', true],
		['START_SIGN', false],
		['CLIENT_DECLINE', true],
		['TECHNICAL_PROBLEM', true],
	])('%s goes into the field that the bank named; final: %p', async (stage, isFinalStage) => {
		bank().answer = () => [200, { ok: 1 }];
		const output = await run('channelApplication.setStatus', {
			appId,
			stage,
			names: { stage: 'data.status' },
			payload: '{"data": {"cardId": 5}}',
		});
		expect(bodies()).toEqual([{ data: { cardId: 5, status: stage } }]);
		expect(jsonOf(output)).toEqual([{ ok: 1, stage, isFinalStage }]);
	});
});
