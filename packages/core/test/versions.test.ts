/** An operation in the shape of the version of the node that a workflow was made with. */
import {
	type DocumentedOperation,
	type Operation,
	operationAt,
	operations,
	shapesOf,
	shapesUntil,
	versionsOf,
} from '../src/index.ts';

const shape = (path: string): DocumentedOperation => ({
	id: 'parcel.send',
	spec: 'made up',
	name: 'Send',
	action: 'Send a parcel',
	description: 'Send a parcel',
	auth: 'gateway',
	effect: 'change',
	method: 'POST',
	path,
	errors: [],
});
const [second, third] = [shape('/v2/parcels'), shape('/v3/parcels')];
const send: Operation = {
	...shape('/v1/parcels'),
	versions: [
		{ since: 2, operation: second },
		{ since: 3, operation: third },
	],
};
const track: Operation = { ...shape('/track'), id: 'parcel.track', since: 2.1 };

test.each([
	[1, send],
	[1.9, send],
	[2, second],
	[2.1, second],
	[3, third],
	[4, third],
])('version %d of a node has the newest shape that is not newer', (typeVersion, expected) => {
	expect(operationAt(send, typeVersion)).toBe(expected);
});

test.each([
	[1, undefined],
	[2, undefined],
	[2.1, track],
	[3, track],
])('an operation that came with version 2.1 is there in version %d or not', (typeVersion, expected) => {
	expect(operationAt(track, typeVersion)).toBe(expected);
});

test('earlier shapes come after the one that holds', () => {
	expect(shapesUntil(send, 2)).toEqual([second, send]);
});

test('a node has a version for each that brought something, and always the first', () => {
	expect(versionsOf([])).toEqual([1]);
	expect(versionsOf([track, send])).toEqual([1, 2, 2.1, 3]);
});

test('every shape of an operation has its id, and each came later than the one before it', () => {
	for (const { id, shapes } of [send, track, ...operations].map((one) => ({ id: one.id, shapes: shapesOf(one) }))) {
		expect(shapes.map(({ operation }) => operation.id)).toEqual(shapes.map(() => id));
		const since = shapes.map((one) => one.since);
		expect(since).toEqual([...new Set(since)].sort((a, b) => a - b));
	}
});
