/**
 * 4.15 and 4.16: each step sends what the description says, completely or not at all, and only once if the bank allows it once. The
 * output contains deadlines and results.
 */
import { BankCardIssuance } from '../nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { binaryFile, jsonOf, refusalOf, runOf, type RunOptions, useBank } from './support/bank.ts';

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

describe('the full application', () => {
	it('sends the four documents as files of a form, if the service details say so', async () => {
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

	it('takes each file from its item', async () => {
		const serviceDetails = { files: { sendAs: 'multipart' }, payload: '{"income": 90000}' };
		const binary = [documents, { ...documents, clientPhoto: binaryFile('another') }];
		await complete({ serviceDetails }, { items: [{}, {}], binary });
		expect(bank().seen.map(({ parts }) => parts?.at(-1)?.[1])).toEqual([
			{ text: 'photo', fileName: 'photo.png', type: 'image/png' },
			{ text: 'another', fileName: 'clientPhoto', type: 'text/plain' },
		]);
	});

	it('is not sent without its files, and the message lists the binary fields of the item', async () => {
		const { clientPhoto: _photo, ...three } = documents;
		expect((await refusalOf(complete({}, { binary: [three] }))).message).toBe(
			'Input Binary Field must be the name of a binary field of the input item; "clientPhoto" does not exist. ' +
				'The item has: passportMain, passportRegistration, personalDataConsent (Files[3])',
		);
		expect((await refusalOf(complete({}, { binary: [] }))).message).toContain(
			'The item has no binary field: add a node that returns files before this one',
		);
		expect(bank().seen).toEqual([]);
	});
});

describe('scans of the signed forms (4.15, rule 3)', () => {
	const scans = { agreement: binaryFile('a'), consent: binaryFile('c'), photo: binaryFile('p') };
	const upload = (names: string[], parameters: Record<string, unknown>) =>
		run(
			'scan.upload',
			{ appId, files: { file: names.map((name) => ({ binaryField: name, field: '' })) }, ...parameters },
			{ binary: [scans] },
		);
	const sent = () => bodies().map((body) => Object.keys(body as object));

	it.each([
		['values', ['agreement', 'consent']],
		['text', 'agreement, Consent'],
		['an expression', () => ['agreement', 'consent']],
	])('are sent if all required documents, given as %s, are there', async (_name, requiredDocuments) => {
		await upload(['agreement', 'consent'], { requiredDocuments });
		expect(sent()).toEqual([['agreement', 'consent']]);
	});

	it('are not sent while a required document is missing', async () => {
		const { message } = await refusalOf(
			upload(['agreement'], { requiredDocuments: ['agreement', 'consent', 'photo'] }),
		);
		expect(message).toBe('Files lack "consent", "photo": the first upload carries the whole set in one request');
		expect(bank().seen).toEqual([]);
	});

	it('are only the rejected documents in a repeat', async () => {
		await upload(['consent'], { upload: 'rejected', rejectedDocuments: ['consent'] });
		expect(sent()).toEqual([['consent']]);
	});

	it.each([
		['carry another document', ['consent', 'photo'], ['consent'], 'Files hold "photo", which the bank did not reject'],
		['do not say what was rejected', ['consent'], [], 'Rejected Documents is required'],
	])('are not sent in a repeat if they %s', async (_name, names, rejectedDocuments, fault) => {
		expect((await refusalOf(upload(names, { upload: 'rejected', rejectedDocuments }))).message).toContain(fault);
		expect(bank().seen).toEqual([]);
	});

	it('have the name by which they are compared: the document, or else the binary field', async () => {
		const files = { file: [{ binaryField: 'agreement' }, { binaryField: 'consent', document: ' Form 7' }] };
		const serviceDetails = { files: { field: 'scans[].content', documentName: 'scans[].kind' } };
		await upload([], { files, serviceDetails, requiredDocuments: ['agreement', 'Form 7'] });
		expect(bodies()).toMatchObject([{ scans: [{ kind: 'agreement' }, { kind: 'Form 7' }] }]);
	});

	it('are compared by document, not by field', async () => {
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

it('a deadline of four hours counts from the result that the node waited for (part 8)', async () => {
	bank().answer = () => (bank().seen.length < 4 ? [202, {}] : [200, { state: 'DONE' }]);
	const responses = { ready: { field: 'state', values: ['DONE'] } };
	expect(jsonOf(await run('printForm.getResult', { appId, waitForResult: true, responses }))).toEqual([
		{ state: 'DONE', verdict: 'ready', scanDeadline: '2026-01-31T13:00:30.000Z' },
	]);
});

it.each([
	['is not ready', [200, { state: 'WORK' }], { state: 'WORK', verdict: 'notReady' }],
	['is empty', [200, {}], { verdict: 'unclear' }],
	['is an error', [200, { state: 'ERROR' }], { state: 'ERROR', verdict: 'unclear' }],
	[
		'is a text',
		[200, 'The service is being maintained'],
		{ response: 'The service is being maintained', verdict: 'unclear' },
	],
	['is no', [200, { state: 'FAILED' }], { state: 'FAILED', verdict: 'no' }],
])('a deadline has not started if the response %s', async (_which, answer, item) => {
	bank().answer = () => answer as [number, object];
	const responses = { notReady: { field: 'state', values: ['WORK'] }, no: { field: 'state', values: ['FAILED'] } };
	expect(jsonOf(await run('printForm.getResult', { appId, responses }))).toEqual([item]);
	// Without service details, a result cannot be told from an error.
	const { verdict: _, ...raw } = item as Record<string, unknown>;
	expect(jsonOf(await run('printForm.getResult', { appId }))).toEqual([raw]);
});

it('a deadline does not start with an empty response of a read, but with that of a selection', async () => {
	for (const empty of [{}, []]) {
		bank().answer = () => [200, empty];
		for (const id of ['printForm.getResult', 'offer.getMany'])
			expect(jsonOf(await run(id, { appId }))).toEqual([Array.isArray(empty) ? { response: [] } : {}]);
	}
	bank().answer = () => [200, ''];
	const [selected] = jsonOf(await run('offer.select', { appId, offerId: 'o-1' }));
	expect(selected).toEqual({ cardDeadline: '2026-01-31T13:00:00.000Z' });
});

it('the address of what was created is in the output, and the headers that the service details name', async () => {
	const headers = { Location: '/applications/A-17', 'X-Application-Id': 'A-17', 'X-Other': 'x' };
	bank().answer = () => [201, '', headers];
	const responses = { headers: ['x-application-id', 'X-Missing'] };
	expect(jsonOf(await run('application.create', { payload: () => ({ name: 'Anna' }), responses }))).toEqual([
		{ location: '/applications/A-17', headers: { 'x-application-id': 'A-17' } },
	]);
});

it('waiting is refused if the service details list no value for a success, because it would never end', async () => {
	const state = (value: string) => ({ field: 'state', values: [value] });
	const responses = { notReady: state('WORK'), no: state('NO') };
	const refusal = await refusalOf(run('scoring.getShort', { appId, waitForResult: true, responses }));
	expect(refusal.message).toMatch(/would never end/);
	expect(bank().seen).toEqual([]);
});

it('waiting for a result ends at the deadline with the last response and how to continue', async () => {
	bank().answer = () => [200, { scoring: { state: 'IN_PROGRESS' } }];
	const responses = { ready: { field: 'scoring.state', values: ['DONE'] } };
	const options = { waitAtMost: 25 };
	const refusal = await refusalOf(run('scoring.getShort', { appId, waitForResult: true, responses, options }));
	expect(refusal.message).toBe('Get result of short scoring: the result was not ready after 25 seconds');
	expect(refusal.description).toContain('Last response: scoring.state "IN_PROGRESS".');
	expect(refusal.description).toContain('Run again to continue waiting');
	// The result is read at 0, 10 and 20 seconds, and for the last time at 25 seconds.
	expect(bank().seen).toHaveLength(4);
});

describe('the status of a channel application (3.6)', () => {
	it.each([
		['CARD_ISSUE', true],
		['START_SIGN', false],
		['CLIENT_DECLINE', true],
		['TECHNICAL_PROBLEM', true],
	])('%s is sent in the field of the service details; final: %p', async (stage, isFinalStage) => {
		bank().answer = () => [200, { ok: 1 }];
		const given = { appId, stage, names: { stage: 'data.status' }, payload: '{"data": {"cardId": 5}}' };
		const output = await run('channelApplication.setStatus', given);
		expect(bodies()).toEqual([{ data: { cardId: 5, status: stage } }]);
		expect(jsonOf(output)).toEqual([{ ok: 1, stage, isFinalStage }]);
	});

	it('is final also if an expression returns it with spaces, which are not sent', async () => {
		bank().answer = () => [200, { ok: 1 }];
		const given = { appId, stage: '={{ $json.stage }}', names: { stage: 'status' } };
		const output = await run('channelApplication.setStatus', given, { items: [{ stage: ' CARD_ISSUE\n' }] });
		expect(bodies()).toEqual([{ status: 'CARD_ISSUE' }]);
		expect(jsonOf(output)).toEqual([{ ok: 1, stage: 'CARD_ISSUE', isFinalStage: true }]);
	});
});
