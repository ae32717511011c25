// A bank in a separate thread that answers as the test says, to end n8n or to block it.
import { createServer, type ServerResponse } from 'node:http';
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';

import { listen } from '../../src/listen.ts';

type Answer = (response: ServerResponse, offset: number, limit: number) => unknown;

const json = { 'content-type': 'application/json' };
const megabyte = Buffer.alloc(1024 * 1024, 'a');
const compressed = gzipSync(Buffer.alloc(200 * 1024 * 1024, 'a'), { level: 1 });

function write(response: ServerResponse, begin: string, status = 200) {
	response.writeHead(status, json).write(begin);
	const more = () => {
		while (!response.destroyed && response.write(megabyte));
	};
	response.on('drain', more);
	more();
}

const send = (response: ServerResponse, text: string) => response.writeHead(200, json).end(text);
const list = (response: ServerResponse, rows: string) => send(response, `{"operations":[${rows}]}`);

let served = 0;
const dateTime = new Date().toISOString();
const row = (id: string, more: object = {}) => ({
	...{ id, dateTime, title: 'Operation', direction: 'INCOME', status: 'SUCCESS' },
	...{ amount: { value: 1, currency: 'RUB', minorUnits: 100 }, ...more },
});
const rows = (count: number, from: number, more?: object) =>
	Array.from({ length: count }, (_, at) => JSON.stringify(row(`op-${from + at}`, more))).join(',');

const answers: Record<string, Answer> = {
	honest: (response, offset) => list(response, offset === 0 ? rows(1, 0) : ''),
	'sends a body without end': (response) => write(response, '{"operations":["'),
	'sends an error without end': (response) => write(response, '{"error":"', 500),
	'sends 200 MB in 900 kB': (response) =>
		response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(compressed),
	'sends a header of 5 MB': (response) =>
		response.writeHead(200, { ...json, 'x-trace-id': 'a'.repeat(5_000_000) }).end(),
	'nests 5 million lists': (response) =>
		send(response, `{"operations":${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}}`),
	'sends 5 million empty objects': (response) => list(response, `${'{},'.repeat(5_000_000)}{}`),
	'sends 7 million numbers': (response) => list(response, `${'1,'.repeat(7_000_000)}1`),
	'sends 800,000 long numbers': (response) => list(response, `${'12345678901234567,'.repeat(800_000)}1`),
	'sends an object with 900,000 fields': (response) =>
		list(response, `{${Array.from({ length: 900_000 }, (_, at) => `"f${at}":1`).join(',')}}`),
	'has rows with many values without end': (response, offset) =>
		list(response, `{"id":"${offset}","parts":[${'{},'.repeat(200_000)}{}]}`),
	'has Cyrillic rows of 10 kB without end': (response, offset, limit) =>
		list(response, rows(limit, offset, { comment: 'ж'.repeat(5000) })),
	'has small rows without end': (response, offset, limit) => list(response, rows(limit, offset)),
	'has other rows at each request': (response, offset, limit) => list(response, rows(limit, served * 1000 + offset)),
	'repeats its first page without end': (response, _offset, limit) => list(response, rows(limit, 0)),
};

let answer = answers['honest'];
/** Requests of the trigger, which asks for operations since a day. */
let polls = 0;

const server = createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url ?? '', 'http://bank');
	response.on('error', () => undefined).setMaxListeners(0);
	if (pathname === '/become') {
		answer = answers[searchParams.get('name') ?? ''];
		polls = 0;
	}
	if (pathname === '/become' || pathname === '/polls') return void response.end(String(polls));
	if (pathname === '/endless-token') return void write(response, '{"access_token":"');
	if (pathname === '/token')
		return void send(response, '{"access_token":"a","token_type":"Bearer","expires_in":86400}');
	served++;
	if (searchParams.has('dateFrom')) polls++;
	answer?.(response, Number(searchParams.get('offset') ?? 0), Number(searchParams.get('limit') ?? 20));
});

parentPort?.postMessage(await listen(server));
