export { baseUrlOf, environmentProperties } from './environment.ts';
export { AuthorizationCodeOAuth2Base, ClientCredentialsOAuth2Base } from './oauth2.ts';
