import { errorCode } from './error-code.ts'
import { PromptsError } from './prompts-error.ts'

/** The name in Node's message, such as `Cannot find package 'undici' imported from …`. */
const MESSAGE = /^Cannot find package '(?<name>[^']+)'/

/** Turns the failed import of an optional dependency into PACKAGE_MISSING; keeps other errors. */
export function explainMissingPackage(error: unknown): unknown {
  const { message } = error instanceof Error ? error : { message: '' }
  const name = MESSAGE.exec(message)?.groups?.['name']
  if (name === undefined || errorCode(error) !== 'ERR_MODULE_NOT_FOUND') return error
  return new PromptsError('PACKAGE_MISSING', { package: name }, { cause: error })
}

/**
 * Awaits the import of a module that needs an optional dependency.
 *
 * @throws PromptsError PACKAGE_MISSING
 */
export async function loaded<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await module
  } catch (error) {
    throw explainMissingPackage(error)
  }
}
