import { errorCode } from '../errors/error-code.ts'

/** Codes of Node and OpenSSL for an invalid certificate of a server or proxy. */
const CERTIFICATE =
  /^(?:ERR_TLS_CERT_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$|UND_ERR_PRX_TLS$)/

/** Whether a connection failed because of a certificate, so a retry can't help. */
export function isCertificateFailure(cause: unknown): boolean {
  return CERTIFICATE.test(errorCode(cause))
}

/** What common codes mean, with the name of the host or proxy. */
const MEANINGS: Readonly<Record<string, (peer: string) => string>> = {
  ENOTFOUND: (peer) => `${peer} was not found`,
  EAI_AGAIN: (peer) => `the DNS lookup of ${peer} failed`,
  ECONNREFUSED: (peer) => `${peer} refused the connection`,
  ECONNRESET: (peer) => `${peer} reset the connection`,
  EPIPE: (peer) => `${peer} closed the connection`,
  UND_ERR_SOCKET: (peer) => `${peer} closed the connection`,
  ETIMEDOUT: (peer) => `connecting to ${peer} timed out`,
  UND_ERR_CONNECT_TIMEOUT: (peer) => `connecting to ${peer} timed out`,
  EPROTO: (peer) => `${peer} does not speak TLS as expected`,
  ERR_SSL_WRONG_VERSION_NUMBER: (peer) => `${peer} does not speak TLS`,
  EHOSTUNREACH: (peer) => `there is no route to ${peer}`,
  ENETUNREACH: (peer) => `there is no route to ${peer}`,
}

/** Describes why a connection failed. May contain remote text. */
export function describeNetworkError(cause: unknown, peer: string): string {
  const code = errorCode(cause)
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined
  const message = cause instanceof Error ? cause.message : String(cause)
  const description = meaning?.(peer) ?? `${peer}: ${message}`
  return code === '' || description.includes(code) ? description : `${description} (${code})`
}
