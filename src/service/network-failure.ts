import { errorCode } from '../errors/error-code.ts'

/** Codes of Node and OpenSSL for a certificate that does not hold, also that of a proxy. */
const CERTIFICATE =
  /^(?:ERR_TLS_CERT_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$|UND_ERR_PRX_TLS$)/

/** Whether a connection failed because of a certificate: then no retry helps. */
export function isCertificateFailure(cause: unknown): boolean {
  return CERTIFICATE.test(errorCode(cause))
}

/** What the usual codes mean, with the name of the host or proxy they are about. */
const MEANINGS: Readonly<Record<string, (peer: string) => string>> = {
  ENOTFOUND: (peer) => `${peer} was not found`,
  EAI_AGAIN: (peer) => `the name of ${peer} could not be looked up`,
  ECONNREFUSED: (peer) => `${peer} refused the connection`,
  ECONNRESET: (peer) => `${peer} reset the connection`,
  EPIPE: (peer) => `${peer} closed the connection`,
  UND_ERR_SOCKET: (peer) => `${peer} closed the connection`,
  ETIMEDOUT: (peer) => `${peer} did not take the connection in time`,
  UND_ERR_CONNECT_TIMEOUT: (peer) => `${peer} did not take the connection in time`,
  EPROTO: (peer) => `${peer} does not speak TLS as expected`,
  ERR_SSL_WRONG_VERSION_NUMBER: (peer) => `${peer} does not speak TLS`,
  EHOSTUNREACH: (peer) => `there is no way to ${peer}`,
  ENETUNREACH: (peer) => `there is no way to ${peer}`,
}

/** Why a connection failed, for people. May hold remote text. */
export function describeNetworkError(cause: unknown, peer: string): string {
  const code = errorCode(cause)
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined
  const message = cause instanceof Error ? cause.message : String(cause)
  const description = meaning?.(peer) ?? `${peer}: ${message}`
  return code === '' || description.includes(code) ? description : `${description} (${code})`
}
