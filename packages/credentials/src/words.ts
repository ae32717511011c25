import type { ConnectionStep } from '@bank/core';

/** Where a connection was to lead. */
export interface Target {
	/** The field of the form that holds the address, for example `Access Token URL`. */
	field: string;
	/** Absent where whoever tells of the fault no longer knows it. */
	url?: string;
	/** Likewise. */
	hasCertificate?: boolean;
}

/** For a PFX file of an old kind. */
export const convertPfx =
	'Convert it with "openssl pkcs12 -legacy -in old.pfx -out new.pem", choose the format PEM and paste new.pem.';

const network = 'this machine may reach the bank (firewall, proxy, VPN)';

const givenHostName = (field: string) =>
	`Enter the host name as the bank gave it to you in ${field}, not an IP address or another name of the same server.`;

/** What to do about a connection: for the requests of a credential itself, and for those of the nodes. */
export function connectionTexts({ field, url = '', hasCertificate }: Target): Readonly<Record<ConnectionStep, string>> {
	/** One of two sentences where it is known whether a client certificate was shown, else one for both. */
	const byCertificate = (shown: string, none: string, either: string): string =>
		hasCertificate === undefined ? either : hasCertificate ? shown : none;
	const mayDemand =
		'Probably it demands a client certificate: ask the bank, and switch on Client Certificate in the credential.';
	return {
		checkHost: `Correct ${field}. If it is right, check that ${network}.`,
		checkPort: `Check host and port of ${field}, and that ${network}.`,
		checkUrl: `Correct ${field}: it must be a whole address such as https://api.bank.example.`,
		checkConnection: `Check ${field}, and that ${network}.`,
		checkBreak: url.startsWith('http:')
			? `Check ${field}, and whether the address must begin with https.`
			: byCertificate(
					'Probably it does not accept the client certificate (expired, revoked or not registered): check with the bank.',
					mayDemand,
					'Check the connection to the bank; where it demands a client certificate, ' +
						'also that the one in the credential is registered and in force.',
				),
		useGivenHostName: givenHostName(field),
		trustAuthority:
			'If the bank has its own certificate authority, paste its certificate (PEM) into CA of the ' +
			'Bank in the credential. If something is there already, it is not the authority that has ' +
			'issued the certificate of this server, or a part of the chain is missing.',
		renewAuthority:
			'Tell the bank, or paste the present certificate of its authority into CA of the ' +
			'Bank in the credential. Check the clock of this machine as well.',
		checkClock: 'Check the clock of this machine; if it is right, tell the bank.',
		checkOwnCertificate: 'Open the credential: check client certificate, private key and passphrase.',
		convertCertificate: convertPfx,
		registerCertificate: byCertificate(
			'Check with the bank that this very certificate is registered for you and in force, and paste it with its intermediate certificates.',
			'Switch on Client Certificate in the credential and enter the one that the bank has registered for you.',
			'Open the credential: check that its client certificate is the one that the bank ' +
				'has registered, with its intermediate certificates, and still valid.',
		),
		checkTls: byCertificate(
			'Probably it does not accept the client certificate: check with the bank that it is registered for you.',
			mayDemand,
			`Check that ${field} begins with https and has the right port; where the bank ` +
				`demands a client certificate, check the one in the credential.`,
		),
		checkPlainPort: `Check the port of ${field}, and whether the address begins with http or https.`,
		trustTokenServer:
			'The tokens of this credential type are asked for by n8n itself, without CA of the Bank: start n8n with NODE_EXTRA_CA_CERTS, ' +
			"which names a file with the certificate of the bank's authority, or use a credential of the type Bank Host-to-Host OAuth2 API.",
		useGivenTokenHost: givenHostName('Access Token URL'),
		fixToken: 'Open the credential: check token URL, client ID, secret and scopes, and connect it again.',
		askForLess: 'Ask for less, or raise the option Largest Answer.',
		tryAgain: 'Try again.',
	};
}
