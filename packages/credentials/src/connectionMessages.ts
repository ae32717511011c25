import type { ConnectionStep } from '@bank/core';

const network = 'this machine can reach the bank (firewall, proxy, VPN)';

const givenHostName = (field: string) =>
	`In ${field}, enter the host name that your bank gave you, not an IP address or another name of the server.`;

/**
 * What to do about a connection error, for requests of a credential and of the nodes.
 * @param field label of the form field with the URL, such as `Access Token URL`
 */
export function connectionMessages(field: string): Readonly<Record<ConnectionStep, string>> {
	const checkCertificate =
		'If the bank requires a client certificate, check that the one in the credential is registered and valid.';
	return {
		checkHost: `Correct ${field}. If it is right, check that ${network}.`,
		checkPort: `Check host and port of ${field}, and that ${network}.`,
		checkUrl: `Correct ${field}. It must be a complete URL, such as https://api.bank.example.`,
		checkConnection: `Check ${field}, and that ${network}.`,
		checkBreak: `Check the connection to the bank. ${checkCertificate}`,
		useGivenHostName: givenHostName(field),
		trustAuthority:
			'If the bank has its own certificate authority, paste its certificate (PEM) into "CA of the Bank" in the credential. ' +
			'If that field is already filled in, it contains another authority or an incomplete chain.',
		renewAuthority:
			'Contact your bank, or paste the current certificate of its authority into "CA of the Bank" in the credential. ' +
			'Also check the clock of this machine.',
		checkClock: 'Check the clock of this machine. If it is right, contact your bank.',
		checkOwnCertificate: 'Open the credential and check client certificate, private key and passphrase.',
		registerCertificate:
			'Turn on "Client Certificate" in the credential, and enter the certificate that is registered with your bank and still ' +
			'valid, with its intermediate certificates.',
		checkTls: `Check that ${field} starts with https and has the right port. ${checkCertificate}`,
		checkPlainPort: `Check the port of ${field}, and whether it must start with http or https.`,
		checkProxyAccess:
			'Check the proxy of n8n (HTTPS_PROXY, HTTP_PROXY, NO_PROXY): its user name and password, and whether it may connect to the host of ' +
			`${field}.`,
		allowAddress:
			`Correct ${field}. If it is right, allow its host for n8n with N8N_SSRF_ALLOWED_HOSTNAMES or ` +
			'N8N_SSRF_ALLOWED_IP_RANGES.',
		trustTokenServer:
			'Tokens of this credential type are requested by n8n itself, without "CA of the Bank". Start n8n with NODE_EXTRA_CA_CERTS ' +
			"set to a file with the bank's CA certificate, or use a credential of the type Bank Host-to-Host OAuth2 API.",
		useGivenTokenHost: givenHostName('Access Token URL'),
		fixToken: 'Open the credential, check token URL, client ID, secret and scopes, and connect it again.',
		askForLess: 'Request less data, or raise the option "Maximum Response Size (MB)".',
		tryAgain: 'Try again.',
	};
}
