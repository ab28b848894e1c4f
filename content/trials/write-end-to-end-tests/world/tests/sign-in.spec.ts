import { test, expect } from './fixtures';

test('a shopper signs in and sees the shop', async ({ shop, page }) => {
  await expect(page.getByRole('heading', { name: 'Shop' })).toBeVisible();
  await expect(shop.basketLink).toHaveText('Basket (0)');
});
