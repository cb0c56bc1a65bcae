import type { TestProject } from 'vitest/node'
import { findBrowser } from './find-browser.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser that all tests share. */
    browser: string
  }
}

/** `CHROMIUM=off` leaves the tests in a browser out. */
export function browserSwitchedOff(): boolean {
  return process.env['CHROMIUM'] === 'off'
}

/**
 * Starts Chromium before the tests that need it.
 *
 * @returns a function that ends it
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Here, since it takes more than a second to load and every run reads this file for its configuration.
  const { chromium } = await import('playwright-core')
  const launch = findBrowser()
  const server = await chromium
    .launchServer({ ...launch, args: [...launch.args] })
    .catch((cause: unknown) => {
      const reason = /error while loading shared libraries: .*/.exec(String(cause))?.[0]
      throw new Error(
        `Chromium at ${launch.executablePath} does not start${reason ? ` (${reason})` : ''}. ` +
          'Set CHROMIUM to the path of one that does, or to `off` to leave out the tests in a browser.',
        { cause },
      )
    })
  provide('browser', server.wsEndpoint())
  return () => server.close()
}
