#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Another good way: a file a page, one test a result, no page object, cells by their text.
set -euo pipefail
. "$SCRIPTS/work.inc"
plan
faults
cat > tests/checkout-basket.spec.ts <<'TS'
import type { Page } from '@playwright/test';
import { test, expect } from './fixtures';
import type { ShopPage } from './pages/ShopPage';

const line = (page: Page, name: string, value: string) =>
  page.getByRole('table', { name: 'Sums' }).getByRole('row', { name: `${name} ${value}`, exact: true });

const toBasket = async (shop: ShopPage, product: string) => {
  await shop.add(product, 2);
  await shop.basketLink.click();
  await expect(line(shop.page, 'Total', product === 'Lamp' ? '80.00' : '').or(line(shop.page, 'Goods', product === 'Pot' ? '49.90' : '50.00'))).toBeVisible();
};

const voucher = async (page: Page, code: string) => {
  await page.getByRole('textbox', { name: 'Voucher' }).fill(code);
  await page.getByRole('textbox', { name: 'Voucher' }).press('Enter');
};

test('C-01 below the limit: shipping', async ({ shop, page }) => {
  await toBasket(shop, 'Pot');
  await expect(line(page, 'Shipping', '4.90')).toBeVisible();
});

test('C-01 at the limit: free', async ({ shop, page }) => {
  test.fail(true, 'goods of 50.00 pay 4.90; the page is wrong');
  await toBasket(shop, 'Card box');
  await expect(line(page, 'Shipping', '0.00')).toBeVisible();
});

test.describe('C-02 voucher', () => {
  test.beforeEach(async ({ shop, page }) => {
    await toBasket(shop, 'Lamp');
    await voucher(page, 'SPRING10');
  });

  test('applied', async ({ page }) => {
    await expect(line(page, 'Discount', '-8.00')).toBeVisible();
    await expect(line(page, 'Total', '72.00')).toBeVisible();
  });

  test('removed', async ({ page }) => {
    await page.getByRole('button', { name: 'Remove voucher' }).click();
    await expect(line(page, 'Total', '80.00')).toBeVisible();
    await expect(page.getByRole('rowheader', { name: 'Discount' })).toBeHidden();
  });
});

test('C-03 expired voucher', async ({ shop, page }) => {
  await toBasket(shop, 'Lamp');
  await voucher(page, 'WINTER24');
  await expect(page.getByText('This voucher has expired.', { exact: true })).toBeVisible();
  await page.reload();
  await expect(line(page, 'Total', '80.00')).toBeVisible();
  await voucher(page, 'WINTER24');
  await expect(page.getByText('This voucher has expired.', { exact: true })).toBeVisible();
  await expect(line(page, 'Total', '80.00')).toBeVisible();
});
TS
cat > tests/checkout-order.spec.ts <<'TS'
import type { Page } from '@playwright/test';
import { test, expect } from './fixtures';
import type { ShopPage } from './pages/ShopPage';

const order = async (shop: ShopPage, card: string) => {
  const { page } = shop;
  await shop.add('Tea tin', 2);
  await shop.basketLink.click();
  await expect(page.getByRole('cell', { name: '29.90' })).toBeVisible();
  await page.getByLabel('Street').fill('Mill Lane 1');
  await page.getByLabel('Card number').fill(card);
  await page.getByRole('button', { name: 'Place order' }).click();
};

const placed = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Order placed');
  return page.getByRole('main').getByText(/^A-\d+$/).innerText();
};

test('C-04 declined', async ({ shop, page }) => {
  await order(shop, '4000 0000 0000 0002');
  await expect(page.getByText('Card declined')).toBeVisible();
  await page.getByRole('link', { name: 'Orders' }).click();
  await expect(page.getByRole('main')).toContainText('No orders yet.');
});

test('C-05 one confirmed order', async ({ shop, page }) => {
  await order(shop, '4242 4242 4242 4242');
  const number = await placed(page);
  await page.getByRole('link', { name: 'Orders' }).click();
  await expect(page.getByRole('table').getByRole('row')).toHaveText([/Number/, new RegExp(`^${number}\\s*29\\.90\\s*confirmed$`)], { timeout: 15_000 });
});

test('C-06 basket link', async ({ shop, page }) => {
  await order(shop, '4242 4242 4242 4242');
  await placed(page);
  await expect(shop.basketLink).toHaveText('Basket (0)');
});

test('C-06 basket link, shop opened again', { annotation: { type: 'disagreement', description: 'Basket (2)' } }, async ({ shop, page }) => {
  test.fail();
  await order(shop, '4242 4242 4242 4242');
  await placed(page);
  await page.getByRole('link', { name: 'Shop' }).click();
  await expect(shop.basketLink).toHaveText('Basket (0)');
});
TS
kept
