import { forms } from '@bank/credentials';
import type { Icon, ICredentialType } from 'n8n-workflow';

export class BankSignatureApi implements ICredentialType {
	name = 'bankSignatureApi';

	displayName = 'Bank Payment Signature API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#signature';

	properties = forms.bankSignatureApi;
}
