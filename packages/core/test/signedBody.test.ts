/** The signed text is sent unchanged, with only the signature inserted. */
import fc from 'fast-check';

import { textToSign, withSignature } from '../src/index.ts';

const body = {
	client: { partnerId: 1001 },
	payments: [{ name: { last: 'Фамилия' }, paymentDescription: 'a "quoted" } brace', amount: 0.1 }],
	signedBody: 'earlier',
	total: 0.1,
};

/** Names and values that look like the end of an object, or like the field itself. */
const tricky = fc.constantFrom(
	'signedBody',
	'{',
	'}',
	'{"signedBody":"x"}',
	',"signedBody":"x"}',
	'"',
	'\\',
	'\u2028',
	'💳',
);
const word = fc.oneof(fc.string({ unit: 'binary' }), tricky);
// Names without backslashes: after reading a field named \, V8 13.6 confuses it with every name that starts with an
// escape.
const name = word.filter((text) => text !== 'signedBody' && !text.includes('\\'));
const scalar = fc.oneof(word, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
const bodies = fc.dictionary(name, fc.oneof(scalar, fc.array(scalar), fc.dictionary(name, scalar)));
const texts = bodies.filter((value) => Object.keys(value).length > 0).map((value) => JSON.stringify(value));

describe('the signed text', () => {
	it('is the JSON of the body without signedBody, in the same order', () => {
		expect(textToSign(body)).toBe(
			'{"client":{"partnerId":1001},"payments":[{"name":{"last":"Фамилия"},' +
				'"paymentDescription":"a \\"quoted\\" } brace","amount":0.1}],"total":0.1}',
		);
		expect(body.signedBody).toBe('earlier');
	});

	it('keeps a nested field of that name', () => {
		expect(textToSign({ inner: { signedBody: 'x' }, signedBody: 'y' })).toBe('{"inner":{"signedBody":"x"}}');
	});

	it('depends on neither the signature nor its position', () => {
		fc.assert(
			fc.property(bodies, word, (value, signature) => {
				const unsigned = JSON.stringify(value);
				expect(textToSign({ ...value, signedBody: signature })).toBe(unsigned);
				expect(textToSign({ signedBody: signature, ...value })).toBe(unsigned);
				expect(textToSign(value)).toBe(unsigned);
			}),
		);
	});
});

describe('the text that is sent', () => {
	it('parses to the body with the signature, first or last', () => {
		fc.assert(
			fc.property(texts, word, fc.boolean(), (text, signature, isFirst) => {
				const signedBody = JSON.parse(JSON.stringify(signature));
				const expected = isFirst ? { signedBody, ...JSON.parse(text) } : { ...JSON.parse(text), signedBody };
				// Compared as text, because field order counts and a field may be named __proto__.
				expect(JSON.stringify(JSON.parse(withSignature(text, signature, isFirst)))).toBe(JSON.stringify(expected));
			}),
		);
	});

	it('equals the signed text without the inserted field', () => {
		fc.assert(
			fc.property(texts, word, fc.boolean(), (text, signature, isFirst) => {
				const sent = withSignature(text, signature, isFirst);
				const length = sent.length - text.length;
				const at = isFirst ? 1 : sent.length - 1 - length;
				expect(sent.slice(at, at + length)).toContain(`"signedBody":${JSON.stringify(signature)}`);
				expect(sent.slice(0, at) + sent.slice(at + length)).toBe(text);
			}),
		);
	});
});
