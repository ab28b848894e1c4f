import { test, expect } from './fixtures';

test('the shop lists products with prices', async ({ shop, page }) => {
  await expect(page.getByRole('listitem').filter({ hasText: 'Tea tin' })).toContainText('12.50');
});

test('a new shopper has no orders', async ({ shop, orders }) => {
  await orders.open();
  await expect(orders.none).toBeVisible();
});
