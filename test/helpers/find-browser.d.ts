/** How the browser is started. */
interface BrowserLaunch {
  readonly executablePath: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** An installed Chromium or Chrome, or the one of `@sparticuz/chromium`, unpacked once. */
export function findBrowser(): BrowserLaunch
