import { defineConfig } from '@playwright/test';

// BASE_URL: another address of the shop; without it the shop is started here.
const port = process.env.PORT ?? '4100';
const own = `http://127.0.0.1:${port}`;

export default defineConfig({
  testDir: 'tests',
  workers: 2,
  retries: 0,
  reporter: 'list',
  use: {
    baseURL: process.env.BASE_URL ?? own,
    launchOptions: { executablePath: '/usr/lib/chromium/chromium-headless-shell', args: ['--no-sandbox'] },
  },
  webServer: process.env.BASE_URL ? undefined : { command: `python3 app/server.py ${port}`, url: own },
});
