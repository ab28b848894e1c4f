import { randomUUID } from 'node:crypto';
import { test as base } from '@playwright/test';
import { OrdersPage } from './pages/OrdersPage';
import { ShopPage } from './pages/ShopPage';

/** `shop` is signed in as a shopper of the test's own, with an empty basket and no orders. */
export const test = base.extend<{ shop: ShopPage; orders: OrdersPage }>({
  shop: async ({ page }, use) => {
    const shop = new ShopPage(page);
    await shop.signIn(`Shopper ${randomUUID()}`);
    await use(shop);
  },
  orders: async ({ page }, use) => use(new OrdersPage(page)),
});
export { expect } from '@playwright/test';
