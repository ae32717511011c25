export { baseUrlOf, environmentProperties } from './environment.ts';
export { InboundBase, type InboundCheck } from './inbound.ts';
export { AuthorizationCodeOAuth2Base, ClientCredentialsOAuth2Base } from './oauth2.ts';
