// Stand-in for npm: Verdaccio for what is published here, and this machine's registry for all other packages. It is also the proxy for
// https, which answers the requests of n8n's scanner to npm and GitHub and refuses all others.
import { execFileSync } from 'node:child_process';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

export interface NpmOptions {
	/** Folder for keys and certificates. */
	folder: string;
	/** URL of the registry to publish to. */
	local: string;
	/** URL of the registry for all other packages. */
	machine: string;
	cafile: string | undefined;
	/** Name of the published package. */
	name: string;
	/** `owner/name` on GitHub. */
	repository: string;
	/** Bare git repository. */
	origin: string;
	/** Commit that the newest version was built from. */
	commit: () => string;
}

export interface NpmStandIn {
	url: string;
	/** Certificate authority of the proxy. */
	ca: string;
	/** Requests that the proxy refused. */
	refused: string[];
	stop(): void;
}

const provenance = 'https://slsa.dev/provenance/v1';

export async function startNpm(options: NpmOptions): Promise<NpmStandIn> {
	const refused: string[] = [];
	const ca = makeAuthority(options.folder);
	const server = createServer((incoming, response) => {
		void answer(incoming, response, options, refused).catch((error: unknown) => {
			response.writeHead(502).end(String(error));
		});
	});
	server.on('connect', (incoming, socket: Socket) => {
		const [host = ''] = (incoming.url ?? '').split(':');
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		// This server also handles the requests that come through the tunnel.
		server.emit('connection', new TLSSocket(socket, { isServer: true, ...certificateFor(options.folder, host) }));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		ca,
		refused,
		stop: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

async function answer(
	incoming: IncomingMessage,
	response: ServerResponse,
	options: NpmOptions,
	refused: string[],
): Promise<void> {
	// n8n's scanner requests paths with a double slash. The URL parser would take what follows it for a host.
	const { pathname: path, search } = new URL((incoming.url ?? '/').replace(/^\/+/, '/'), 'http://local');
	const isProxied = !/^127\.0\.0\.1:/.test(incoming.headers.host ?? '');
	const json = (value: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

	if (path === '/-/npm/v1/security/advisories/bulk') return void (await drain(incoming), json({}));
	if (isProxied && path.startsWith('/-/npm/v1/attestations/')) return void json(attestation(options));
	if (isProxied && path === `/${options.repository}/tar.gz/${options.commit()}`)
		return void response.end(archiveOf(options.origin, options.commit()));
	if (isProxied && path === `/${options.name}`) return void json(await withProvenance(options));
	if (isProxied) {
		refused.push(`${incoming.headers.host}${path}`);
		return void response.writeHead(403).end();
	}
	const isLocal = path === `/${options.name}` || path.startsWith(`/${options.name}/`);
	forward(incoming, response, isLocal ? options.local : options.machine, `${path}${search}`, options.cafile);
}

async function drain(incoming: IncomingMessage) {
	for await (const _ of incoming);
}

function forward(
	incoming: IncomingMessage,
	response: ServerResponse,
	registry: string,
	path: string,
	cafile: string | undefined,
) {
	const target = new URL(path.slice(1), `${registry.replace(/\/+$/, '')}/`);
	const send = target.protocol === 'https:' ? secureRequest : request;
	// Verdaccio makes the URLs of tarballs from the host, which is this server.
	const { host, ...rest } = incoming.headers;
	const headers = target.hostname === '127.0.0.1' ? { ...rest, host } : rest;
	const ca = cafile === undefined ? undefined : readFileSync(cafile);
	const outgoing = send(target, { method: incoming.method, headers, ca }, (answered) => {
		response.writeHead(answered.statusCode ?? 502, answered.headers);
		answered.pipe(response);
	});
	outgoing.on('error', (error) => response.writeHead(502).end(error.message));
	incoming.pipe(outgoing);
}

/** What npm stores for a version that was published from GitHub with provenance. */
function attestation({ repository, commit }: NpmOptions) {
	const dependency = { uri: `git+https://github.com/${repository}@refs/heads/main`, digest: { gitCommit: commit() } };
	const statement = { predicate: { buildDefinition: { resolvedDependencies: [dependency] } } };
	const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
	return { attestations: [{ predicateType: provenance, bundle: { dsseEnvelope: { payload } } }] };
}

async function withProvenance({ local, name }: NpmOptions) {
	const packument = (await (await fetch(`${local}/${name}`)).json()) as {
		versions: Record<string, { dist: Record<string, unknown> }>;
	};
	for (const { dist } of Object.values(packument.versions))
		dist['attestations'] = { provenance: { predicateType: provenance } };
	return packument;
}

const openssl = (folder: string, ...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
const newKey = ['-newkey', 'rsa:2048', '-nodes', '-subj'];

function makeAuthority(folder: string): string {
	openssl(folder, 'req', '-x509', ...newKey, '/CN=rehearsal', '-days', '1', '-keyout', 'ca.key', '-out', 'ca.pem');
	return join(folder, 'ca.pem');
}

/** A certificate for a host, signed by the authority. */
function certificateFor(folder: string, host: string): { key: Buffer; cert: Buffer } {
	const file = (ending: string) => join(folder, `${host}.${ending}`);
	openssl(folder, 'req', ...newKey, `/CN=${host}`, '-keyout', file('key'), '-out', file('csr'));
	writeFileSync(file('ext'), `subjectAltName=DNS:${host}\n`);
	const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1', '-extfile', file('ext')];
	openssl(folder, 'x509', '-req', '-in', file('csr'), ...signed, '-out', file('pem'));
	return { key: readFileSync(file('key')), cert: readFileSync(file('pem')) };
}

const archiveOf = (origin: string, commit: string) =>
	execFileSync('git', ['archive', '--format=tar.gz', '--prefix=source/', commit], { cwd: origin, maxBuffer: 2 ** 28 });
