-- playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
SET timezone = 'UTC';
SELECT md5((SELECT string_agg(t::text, ',' ORDER BY order_id) FROM mart.fct_orders t) || (SELECT string_agg(t::text, ',' ORDER BY refund_id) FROM mart.fct_refunds t)
  || (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM mart.dim_customer t) || pg_get_viewdef('mart.customers'::regclass));
