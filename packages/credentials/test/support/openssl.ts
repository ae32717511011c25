/** Runs the OpenSSL command line. Tests are skipped where it is not installed, except on a build server. */
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

/** OpenSSL in a temporary folder. */
export class Openssl {
	readonly #folder = mkdtempSync(join(tmpdir(), 'openssl-'));

	/** Returns stdout; throws with stderr. */
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

	/** Creates `name`.key and `name`.pem, self-signed or issued by another certificate. */
	certify(name: string, { kind, issuer, isCa = false }: { kind: KeyKind; issuer?: string; isCa?: boolean }): void {
		this.write('extensions', isCa ? 'basicConstraints=critical,CA:TRUE\n' : 'keyUsage=critical,digitalSignature\n');
		// Includes non-Latin names, which are copied into the signature unchanged.
		const subject = ['-utf8', '-subj', `/CN=${name}/O=Предприятие`];
		const made = ['-nodes', '-keyout', `${name}.key`, '-out', 'request'];
		this.run('req', '-new', '-newkey', ...kinds[kind], ...made, ...subject);
		const by = issuer === undefined ? ['-signkey', `${name}.key`] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`];
		const files = ['-in', 'request', '-out', `${name}.pem`, '-extfile', 'extensions'];
		this.run('x509', '-req', ...files, '-days', '30', '-set_serial', String(10 + name.length), ...by);
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
