-- Built each night by the role nightly. Whoever changes a column says so here.

-- fct_orders: one row an order, from raw.orders of all shops.
--   channel: web, app, till, or mail (a letter with an order form; nothing electronic).
--   2026-04-01: the payment provider reports one sum. amount_cents of orders paid from 2026-04-01 on (Europe/Berlin)
--   includes shipping; shipping_cents stands beside it as ever.
-- fct_refunds: one row a payment back; an order can have several.
-- dim_customer: one row a version of a customer; valid_to is null in the current one.
-- customers: dim_customer without names and addresses.
-- closed_months: what finance signed, one row a month, to compare with.
-- rpt_sales_monthly: for the screen in the hall. Days of UTC, refunds not taken off.
CREATE VIEW mart.customers AS
  SELECT customer_id, valid_from, valid_to, is_internal, country, updated_at FROM mart.dim_customer;
