import chromium from '@sparticuz/chromium'

// Unpacks Chromium into the folder for temporary files.
await chromium.executablePath()
