import { profile as dialect } from '../../errors/byStatus.ts';
import { defineOperation } from '../../operation.ts';

const common = { spec: '4.20', serviceVersion: '1.2.1', auth: 'notShown', dialect } as const;

/** The profile info service (4.20). */
export const profile = {
	exchangeCode: defineOperation({
		...common,
		id: 'profile.exchangeCode',
		action: 'Exchange authorization code',
		description: 'Exchange the authorization code of a user for an access token and a refresh token',
		// A code can be exchanged only once, so a retry would fail.
		effect: 'change',
		path: '/accessToken',
		payload: { about: 'Authorization code of the user, and further fields', required: true },
		returnsSecrets: true,
		callOrder: 'after the user came from the bank with an authorization code',
	}),
	get: defineOperation({
		...common,
		id: 'profile.get',
		action: 'Get profile',
		description: 'Get the data that is needed to register a legal-entity user',
		effect: 'read',
		method: 'GET',
		path: '/getProfileInfo',
		accessToken: true,
		tokenExpiredStatus: 419,
		callOrder: 'after the code was exchanged for an access token',
	}),
};
