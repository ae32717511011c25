/**
 * OpenSSL's command line: what it makes must be read, what is made must pass it. Where it is not installed these tests are skipped; a
 * build server must have it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const isInstalled = (): boolean => {
	try {
		return execFileSync('openssl', ['version'], { stdio: 'pipe' }).length > 0;
	} catch {
		return false;
	}
};

export const describeWithOpenssl = isInstalled() || process.env.CI !== undefined ? describe : describe.skip;

/** A folder of its own, and OpenSSL at work in it. */
export class Openssl {
	readonly #folder = mkdtempSync(join(tmpdir(), 'openssl-'));

	/** What it prints. Throws with what it says where it fails. */
	run(...args: string[]): string {
		return execFileSync('openssl', args, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
	}

	write(name: string, content: string | Uint8Array): void {
		writeFileSync(join(this.#folder, name), content);
	}

	bytes(name: string): Buffer {
		return readFileSync(join(this.#folder, name));
	}

	text(name: string): string {
		return this.bytes(name).toString();
	}

	/** `name`.key and `name`.pem, issued by another one or by itself. */
	certify(name: string, { kind, issuer, isCa = false }: { kind: KeyKind; issuer?: string; isCa?: boolean }): void {
		this.write('extensions', isCa ? 'basicConstraints=critical,CA:TRUE\n' : 'keyUsage=critical,digitalSignature\n');
		// Names in other letters as well: they go into the signature as they stand in the certificate.
		const subject = ['-utf8', '-subj', `/CN=${name}/O=Предприятие`];
		this.run(
			'req',
			'-new',
			'-newkey',
			...kinds[kind],
			'-nodes',
			'-keyout',
			`${name}.key`,
			'-out',
			'request',
			...subject,
		);
		const by = issuer === undefined ? ['-signkey', `${name}.key`] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`];
		const number = ['-set_serial', String(10 + name.length)];
		this.run(
			...['x509', '-req', '-in', 'request', '-out', `${name}.pem`, '-days', '30', '-extfile', 'extensions'],
			...number,
			...by,
		);
	}

	remove(): void {
		rmSync(this.#folder, { recursive: true });
	}
}

export type KeyKind = keyof typeof kinds;

const kinds = {
	rsa: ['rsa:2048'],
	'EC P-256': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
	'EC P-521': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521'],
} as const;
