USE [IRON_DB]
GO
CREATE TABLE [dbo].[T_LT_BF_DAY] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [焦比] INT,
  [CUR_TOP_PRES_SRC] VARCHAR(32),
  [AVG_TAP_CNT_DESC] VARCHAR(200),
  [TOP_PRES_TYPE] VARCHAR(16),
  [maxBlastTemp] DATETIME2,
  [PCI_QTY_VER] INT,
  [ORI_TAP_CNT] DECIMAL(10,2),
  [PCI_QTY] DATETIME2,
  [ARRIVE_LOT] VARCHAR(200),
  [lastSAfter] DATETIME2,
  [S_AFTER] DATETIME2,
  [PAZHA_BIAOJI] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉日报表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'焦比（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'焦比'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前炉顶压力来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'CUR_TOP_PRES_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均出铁次数说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'AVG_TAP_CNT_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉炉顶压力类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'TOP_PRES_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高风温', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'maxBlastTemp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'PCI_QTY_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉喷煤量', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'PCI_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本高炉的进厂批次', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'ARRIVE_LOT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次处理后硫', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'lastSAfter'
GO
EXEC sp_addextendedproperty N'MS_Description', N'处理后硫', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'S_AFTER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'扒渣时间标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DAY', N'COLUMN', N'PAZHA_BIAOJI'
GO
CREATE TABLE [dbo].[T_LT_BF_DTL] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [BLAST_TEMP_SRC] VARCHAR(32),
  [IRON_TEMP] FLOAT,
  [PCI_QTY] FLOAT,
  [PCI_QTY_TYPE] VARCHAR(16),
  [maxO2Rate] DECIMAL(12,3),
  [TOP_PRES] VARCHAR(200),
  [TAP_CNT] VARCHAR(200),
  [O2_RATE_TYPE] VARCHAR(16),
  [PLAN_PERM_IDX] DECIMAL(12,3),
  [MAX_RECLAIM_NO_DESC] VARCHAR(200),
  [STIR_RPM] INT,
  [S_AFTER] VARCHAR(64),
  [METER_RATIO_FLAG] CHAR(1),
  [STEAM_FLOW] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'风温来源，保留两位小数，缺省时按上一条高炉记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'BLAST_TEMP_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉铁水温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'IRON_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉喷煤量', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'PCI_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本高炉的喷煤量类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'PCI_QTY_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'O2_RATE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定透气性指数（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'PLAN_PERM_IDX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉搅拌转速', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'STIR_RPM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'处理后硫', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'S_AFTER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'表计倍率标记，由高炉岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_DTL', N'COLUMN', N'METER_RATIO_FLAG'
GO
CREATE TABLE [dbo].[T_LT_BF_HIS] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [REAL_BLAST_TEMP] DECIMAL(10,2),
  [O2_RATE_FLAG] CHAR(1),
  [PERM_IDX] VARCHAR(200),
  [ORI_IRON_TEMP] VARCHAR(200),
  [TAP_CNT_TYPE] VARCHAR(16),
  [blastTemp] INT,
  [ARRIVE_LOT] DECIMAL(12,3),
  [YARD_LOC_UNIT] VARCHAR(8)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'透气性指数', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS', N'COLUMN', N'PERM_IDX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始铁水温度（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS', N'COLUMN', N'ORI_IRON_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'出铁次数类别，保留两位小数，缺省时按上一条高炉记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS', N'COLUMN', N'TAP_CNT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉风温', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS', N'COLUMN', N'blastTemp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场库位单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_HIS', N'COLUMN', N'YARD_LOC_UNIT'
GO
CREATE TABLE [dbo].[T_LT_BF_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [REMARK] VARCHAR(500),
  [INIT_PERM_IDX] VARCHAR(64),
  [PCI_QTY] DECIMAL(10,2),
  [O2_RATE] VARCHAR(200),
  [TOP_PRES] FLOAT,
  [o2RateSrc] VARCHAR(32),
  [BLAST_TEMP_DESC] VARCHAR(200),
  [LAST_TAP_CNT] DECIMAL(12,3),
  [FENGWEN] VARCHAR(200),
  [BLAST_TEMP] DECIMAL(10,2),
  [INIT_S_AFTER] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始透气性指数，由高炉岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'INIT_PERM_IDX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本高炉的喷煤量', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'PCI_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'富氧率，由高炉岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'O2_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉顶压力，由高炉岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'TOP_PRES'
GO
EXEC sp_addextendedproperty N'MS_Description', N'富氧率来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'o2RateSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本高炉的风温说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'BLAST_TEMP_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本高炉的上次出铁次数', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'LAST_TAP_CNT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉风温', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'FENGWEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉风温', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'BLAST_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉初始处理后硫', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_MAIN', N'COLUMN', N'INIT_S_AFTER'
GO
CREATE TABLE [dbo].[T_LT_BF_REC] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [FENGWEN_LAIYUAN] VARCHAR(32),
  [CUR_COKE_RATE] DECIMAL(12,3),
  [CHUTIE] FLOAT,
  [AVG_PCI_QTY] VARCHAR(200),
  [初始焦比] INT,
  [最高铁水温度类别] VARCHAR(16),
  [cokeRate] DECIMAL(12,3),
  [STOCK_QTY] INT,
  [上次翻车机号] VARCHAR(200),
  [WAGON_NO] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉记录表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'风温来源（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'FENGWEN_LAIYUAN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前焦比，由高炉岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'CUR_COKE_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'出铁次数', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'CHUTIE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均喷煤量', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'AVG_PCI_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始焦比，保留两位小数，缺省时按上一条高炉记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'初始焦比'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高铁水温度类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'最高铁水温度类别'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉焦比', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'cokeRate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉堆存量', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'STOCK_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次翻车机号（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'上次翻车机号'
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉车皮号', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_REC', N'COLUMN', N'WAGON_NO'
GO
CREATE TABLE [dbo].[T_LT_BF_SUM] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REAL_PERM_IDX_VER] INT,
  [AVG_TAP_CNT] DATETIME2,
  [IRON_TEMP] INT,
  [O2_RATE_SRC] VARCHAR(32),
  [TAP_CNT_VER] INT,
  [INIT_PCI_QTY] INT,
  [LAST_O2_RATE] VARCHAR(64),
  [LAST_SKIM_TM] DATETIME2
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'高炉汇总表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际透气性指数版本（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'REAL_PERM_IDX_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均出铁次数', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'AVG_TAP_CNT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'铁水温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'IRON_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'富氧率来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'O2_RATE_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'出铁次数版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'TAP_CNT_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始喷煤量', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'INIT_PCI_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次富氧率', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'LAST_O2_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次扒渣时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_BF_SUM', N'COLUMN', N'LAST_SKIM_TM'
GO
CREATE TABLE [dbo].[T_LT_DESULF_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [o2Rate] VARCHAR(200),
  [TOP_PRES] VARCHAR(64),
  [S_BEFORE] DECIMAL(12,3),
  [LAST_STIR_RPM] VARCHAR(64),
  [LANCE_NO_FLAG] CHAR(1),
  [S_AFTER] VARCHAR(200),
  [DESULF_QTY] DECIMAL(12,3),
  [LANCE_NO] VARCHAR(200),
  [STIR_RPM] DECIMAL(12,3),
  [TAP_TEMP_VER] INT,
  [AVG_CYCLE_MIN] FLOAT,
  [FLUX_QTY] DECIMAL(10,2),
  [CHARGE_QTY] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫富氧率', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'o2Rate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉顶压力，保留两位小数，缺省时按上一条脱硫记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'TOP_PRES'
GO
EXEC sp_addextendedproperty N'MS_Description', N'处理前硫', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'S_BEFORE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫上次搅拌转速', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'LAST_STIR_RPM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'喷枪号标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'LANCE_NO_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'处理后硫', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'S_AFTER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫剂用量', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'DESULF_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'搅拌转速，保留两位小数，缺省时按上一条脱硫记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'STIR_RPM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'出钢温度版本（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'TAP_TEMP_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫平均冶炼周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'AVG_CYCLE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫造渣料', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'FLUX_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装入量，由脱硫岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_DESULF_MAIN', N'COLUMN', N'CHARGE_QTY'
GO
CREATE TABLE [dbo].[T_LT_SINTER_DTL] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [IRON_TEMP_TYPE] VARCHAR(16),
  [IGNITE_STR] DATETIME2,
  [MIX_MOIST] DECIMAL(12,3),
  [BED_HEIGHT] DECIMAL(10,2),
  [vertRate] DECIMAL(12,3),
  [MIX_MOIST_UNIT] VARCHAR(8),
  [IGNITE_STR_VER] INT,
  [初始料层厚度] INT,
  [STRAND_SPD_VER] INT,
  [STRAND_SPD] FLOAT,
  [REAL_ORE_KIND_VER] INT,
  [FINES_RATE] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'铁水温度类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'IRON_TEMP_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'点火强度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'IGNITE_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'混合料水分，保留两位小数，缺省时按上一条烧结记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'MIX_MOIST'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料层厚度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'BED_HEIGHT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'垂直烧结速率', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'vertRate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结混合料水分单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'MIX_MOIST_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'点火强度版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'IGNITE_STR_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始料层厚度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'初始料层厚度'
GO
EXEC sp_addextendedproperty N'MS_Description', N'台车速度版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'STRAND_SPD_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际矿种版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'REAL_ORE_KIND_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结含粉率', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_DTL', N'COLUMN', N'FINES_RATE'
GO
CREATE TABLE [dbo].[T_LT_SINTER_HIS] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [O2_RATE] VARCHAR(64),
  [PCI_QTY] VARCHAR(64),
  [TOP_PRES_SRC] VARCHAR(32),
  [topPres] VARCHAR(64),
  [IRON_TEMP] INT,
  [BLAST_TEMP_VER] INT,
  [PLAN_STRAND_SPD_TYPE] VARCHAR(16),
  [CUR_VERT_RATE_VER] INT,
  [台车速度版本] INT,
  [MIX_RATIO] INT,
  [IGNITE_STR_FLAG] CHAR(1),
  [basicityFlag] CHAR(1),
  [mixMoist] FLOAT,
  [AVG_VERT_RATE_SRC] VARCHAR(32),
  [RECLAIM_NO_DESC] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结富氧率', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'O2_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉顶压力来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'TOP_PRES_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉顶压力', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'topPres'
GO
EXEC sp_addextendedproperty N'MS_Description', N'铁水温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'IRON_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结风温版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'BLAST_TEMP_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定台车速度类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'PLAN_STRAND_SPD_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结当前垂直烧结速率版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'CUR_VERT_RATE_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本烧结的台车速度版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'台车速度版本'
GO
EXEC sp_addextendedproperty N'MS_Description', N'配料比，由烧结岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'MIX_RATIO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'点火强度标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'IGNITE_STR_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'碱度标记，保留两位小数，缺省时按上一条烧结记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'basicityFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结混合料水分', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'mixMoist'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均垂直烧结速率来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'AVG_VERT_RATE_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'取料机号说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_HIS', N'COLUMN', N'RECLAIM_NO_DESC'
GO
CREATE TABLE [dbo].[T_LT_SINTER_MAIN] (
  [REMARK] VARCHAR(500),
  [MAX_COKE_RATE] VARCHAR(64),
  [PCI_QTY_FLAG] CHAR(1),
  [PLAN_PERM_IDX] FLOAT,
  [VERT_RATE] VARCHAR(64),
  [CUR_RETURN_RATE] DECIMAL(10,2),
  [MAX_VERT_RATE] FLOAT,
  [BASICITY] DECIMAL(12,3),
  [AVG_VERT_RATE_FLAG] CHAR(1),
  [STRAND_SPD_TYPE] VARCHAR(16),
  [MIX_MOIST_UNIT] VARCHAR(8),
  [STRAND_SPD] DECIMAL(10,2),
  [MIX_RATIO] FLOAT,
  [RETURN_RATE] DECIMAL(12,3),
  [MIX_RATIO_UNIT] VARCHAR(8),
  [strandSpd] DECIMAL(10,2),
  [WAGON_NO_FLAG] CHAR(1),
  [AVG_TIPPLER_NO] DECIMAL(12,3),
  [ORE_KIND_VER] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'配​料﻿比', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'MAX_COKE_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'喷煤量标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'PCI_QTY_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定透气性指数', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'PLAN_PERM_IDX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'垂直烧结速率', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'VERT_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'MAX_VERT_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结碱度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'BASICITY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结平均垂直烧结速率标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'AVG_VERT_RATE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'台车速度类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'STRAND_SPD_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'混合料水分单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'MIX_MOIST_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'台车速度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'STRAND_SPD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结配料比', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'MIX_RATIO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烧结返矿率', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'RETURN_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'配料比单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'MIX_RATIO_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'台车速度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'strandSpd'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均翻车机号', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'AVG_TIPPLER_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本烧结的矿种版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_SINTER_MAIN', N'COLUMN', N'ORE_KIND_VER'
GO
CREATE TABLE [dbo].[T_LT_YARD_DTL] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [REAL_BASICITY] FLOAT,
  [ORI_VERT_RATE] VARCHAR(64),
  [RECLAIM_NO] DECIMAL(10,2),
  [FINES_RATE] INT,
  [MAX_ARRIVE_LOT_DESC] VARCHAR(200),
  [预定含粉率单位] VARCHAR(8),
  [RECLAIM_NO_VER] INT,
  [INIT_RECLAIM_NO] DATETIME2,
  [PLAN_YARD_LOC_TYPE] VARCHAR(16),
  [DRIVER] VARCHAR(200),
  [CARRIER] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际碱度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'REAL_BASICITY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'RECLAIM_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场含粉率', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'FINES_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高进厂批次说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'MAX_ARRIVE_LOT_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定含粉率单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'预定含粉率单位'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场初始取料机号', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'INIT_RECLAIM_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本料场的预定料场库位类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'PLAN_YARD_LOC_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场司机', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_DTL', N'COLUMN', N'DRIVER'
GO
CREATE TABLE [dbo].[T_LT_YARD_HIS] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [IGNITE_STR_SRC] VARCHAR(32),
  [IGNITE_STR] VARCHAR(64),
  [INIT_MIX_MOIST_FLAG] CHAR(1),
  [STRAND_SPD] VARCHAR(200),
  [ORI_IGNITE_STR] DECIMAL(12,3),
  [RETURN_RATE_DESC] VARCHAR(200),
  [CUR_TIPPLER_NO] INT,
  [WAGON_NO_SRC] VARCHAR(32),
  [ORI_YARD_LOC] VARCHAR(200),
  [WAGON_NO_UNIT] VARCHAR(8),
  [车皮号] VARCHAR(200),
  [MAX_WAGON_NO_FLAG] CHAR(1),
  [RECLAIM_NO] INT,
  [STOCK_QTY_SRC] VARCHAR(32),
  [INIT_DRIVER] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'点火强度来源，保留两位小数，缺省时按上一条料场记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'IGNITE_STR_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'点火强度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'IGNITE_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场初始混合料水分标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'INIT_MIX_MOIST_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'台车速度，由料场岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'STRAND_SPD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场原始点火强度', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'ORI_IGNITE_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'返矿率说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'RETURN_RATE_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前翻车机号', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'CUR_TIPPLER_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'车皮号来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'WAGON_NO_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始料场库位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'ORI_YARD_LOC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本料场的车皮号单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'WAGON_NO_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高车皮号标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'MAX_WAGON_NO_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'取料机号（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'RECLAIM_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'堆存量来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'STOCK_QTY_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始司机', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_HIS', N'COLUMN', N'INIT_DRIVER'
GO
CREATE TABLE [dbo].[T_LT_YARD_MAIN] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [INIT_MIX_MOIST] VARCHAR(64),
  [VERT_RATE] FLOAT,
  [VERT_RATE_TYPE] VARCHAR(16),
  [REAL_ORE_KIND] FLOAT,
  [STOCK_QTY_UNIT] VARCHAR(8),
  [YARD_LOC_FLAG] CHAR(1),
  [WAGON_NO] DATETIME2,
  [料场库位] VARCHAR(200),
  [RECLAIM_NO] DATETIME2,
  [TIPPLER_NO_VER] INT,
  [PLAN_ORE_KIND] DATETIME2,
  [REAL_TIPPLER_NO_DESC] VARCHAR(200),
  [MAX_TIPPLER_NO_UNIT] VARCHAR(8),
  [CUR_WEIGH_TON] DECIMAL(10,2),
  [DRIVER] VARCHAR(64),
  [LAST_STATION] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场 库位 编号', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'INIT_MIX_MOIST'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场垂直烧结速率类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'VERT_RATE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际矿种', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'REAL_ORE_KIND'
GO
EXEC sp_addextendedproperty N'MS_Description', N'堆存量单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'STOCK_QTY_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场车皮号', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'WAGON_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'料场库位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'料场库位'
GO
EXEC sp_addextendedproperty N'MS_Description', N'翻车机号版本，保留两位小数，缺省时按上一条料场记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'TIPPLER_NO_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定矿种，由料场岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'PLAN_ORE_KIND'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际翻车机号说明，由料场岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'REAL_TIPPLER_NO_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高翻车机号单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'MAX_TIPPLER_NO_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'司机，由料场岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'DRIVER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次到站名称', N'SCHEMA', N'dbo', N'TABLE', N'T_LT_YARD_MAIN', N'COLUMN', N'LAST_STATION'
GO
USE [STEEL_DB]
GO
CREATE TABLE [dbo].[T_LG_BLOW_DTL] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [PLAN_FLUX_QTY] FLOAT,
  [TAP_TEMP] FLOAT,
  [lastBlowStage] INT,
  [LANCE_POS_VER] INT,
  [SUBLANCE_T_VER] INT,
  [LANCE_POS] INT,
  [O2_FLOW_UNIT] VARCHAR(8),
  [LAST_SUBLANCE_T] VARCHAR(200),
  [ORI_DECARB_RATE] VARCHAR(64),
  [O2_FLOW_FLAG] CHAR(1),
  [DECARB_RATE] INT,
  [BLOW_STAGE] INT,
  [CUR_DECARB_RATE] DATETIME2,
  [OFFGAS_VAL] VARCHAR(200),
  [REAL_O2_FLOW_SRC] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹炼明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定造渣料', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'PLAN_FLUX_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本吹炼的出钢温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'TAP_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次吹炼阶段', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'lastBlowStage'
GO
EXEC sp_addextendedproperty N'MS_Description', N'副枪测温版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'SUBLANCE_T_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'枪位高度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'LANCE_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹炼氧气流量单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'O2_FLOW_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始脱碳速率', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'ORI_DECARB_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本吹炼的氧气流量标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'O2_FLOW_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱碳速率，由吹炼岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'DECARB_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹炼阶段', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'BLOW_STAGE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烟气分析，保留两位小数，缺省时按上一条吹炼记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'OFFGAS_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹炼实际氧气流量来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_DTL', N'COLUMN', N'REAL_O2_FLOW_SRC'
GO
CREATE TABLE [dbo].[T_LG_BLOW_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [CYCLE_MIN_TYPE] VARCHAR(16),
  [DECARB_RATE] VARCHAR(64),
  [AVG_O2_FLOW] FLOAT,
  [LAST_SUBLANCE_T] DECIMAL(10,2),
  [枪位高度] DECIMAL(10,2),
  [SUBLANCE_T] DECIMAL(10,2),
  [PLAN_DECARB_RATE_DESC] VARCHAR(200),
  [INIT_DECARB_RATE] FLOAT,
  [decarbRate] VARCHAR(64),
  [副枪测温来源] VARCHAR(32),
  [O2_INTENS] DATETIME2,
  [INIT_O2_FLOW] DECIMAL(10,2),
  [MAX_OFFGAS_VAL] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹炼主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'CYCLE_MIN_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱碳速率', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'DECARB_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均氧气流量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'AVG_O2_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本吹炼的上次副枪测温', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'LAST_SUBLANCE_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'枪位高度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'枪位高度'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹炼副枪测温', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'SUBLANCE_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹炼预定脱碳速率说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'PLAN_DECARB_RATE_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本吹炼的初始脱碳速率', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'INIT_DECARB_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱碳速率，由吹炼岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'decarbRate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹炼副枪测温来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'副枪测温来源'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本吹炼的供氧强度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'O2_INTENS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本吹炼的初始氧气流量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'INIT_O2_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高烟气分析', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_BLOW_MAIN', N'COLUMN', N'MAX_OFFGAS_VAL'
GO
CREATE TABLE [dbo].[T_LG_CAST_DAY] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [FLUX_QTY] INT,
  [CUR_TAP_TEMP] VARCHAR(64),
  [scrapQtyDesc] VARCHAR(200),
  [SPRAY_QTY] INT,
  [MOLD_LEVEL_TYPE] VARCHAR(16),
  [TUNDISH_T] DATETIME2,
  [powderKind] DECIMAL(12,3),
  [CUR_MOLD_LEVEL] INT,
  [LAST_SLAB_LEN] DECIMAL(12,3),
  [POWDER_KIND_DESC] VARCHAR(200),
  [SCRATCH_DEP] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸日报表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸造渣料', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'FLUX_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸当前出钢温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'CUR_TAP_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'废钢量说明，由连铸岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'scrapQtyDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'结晶器液位类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'MOLD_LEVEL_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'中包温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'TUNDISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸保护渣', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'powderKind'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前结晶器液位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'CUR_MOLD_LEVEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸上次铸坯长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'LAST_SLAB_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'保护渣说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'POWDER_KIND_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'划伤深度，由连铸岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DAY', N'COLUMN', N'SCRATCH_DEP'
GO
CREATE TABLE [dbo].[T_LG_CAST_DTL] (
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [heatNoType] VARCHAR(16),
  [CHARGE_QTY] FLOAT,
  [END_C_TYPE] VARCHAR(16),
  [CYCLE_MIN] FLOAT,
  [FLUX_QTY_TYPE] VARCHAR(16),
  [POWDER_KIND] VARCHAR(200),
  [原始铸坯长度] DECIMAL(10,2),
  [最高保护渣] DATETIME2,
  [REAL_TUNDISH_T] VARCHAR(200),
  [REAL_MOLD_LEVEL_VER] INT,
  [SPRAY_QTY_SRC] VARCHAR(32),
  [SPRAY_QTY] DECIMAL(12,3),
  [CAST_NO] DECIMAL(12,3),
  [REAL_CAMERA_NO] INT,
  [SCAB_AREA_DESC] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸装入量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'CHARGE_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸终点碳类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'END_C_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'CYCLE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'造渣料类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'FLUX_QTY_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'保护渣（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'POWDER_KIND'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸原始铸坯长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'原始铸坯长度'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高保护渣，由连铸岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'最高保护渣'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际中包温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'REAL_TUNDISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'二冷水量来源，保留两位小数，缺省时按上一条连铸记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'SPRAY_QTY_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'二冷水量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'SPRAY_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸浇次号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'CAST_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际相机编号，由连铸岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'REAL_CAMERA_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'结疤面积说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_DTL', N'COLUMN', N'SCAB_AREA_DESC'
GO
CREATE TABLE [dbo].[T_LG_CAST_HIS] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [CYCLE_MIN] FLOAT,
  [LAST_TAP_TEMP] FLOAT,
  [CHARGE_QTY] FLOAT,
  [SCRAP_QTY] DECIMAL(12,3),
  [INIT_END_C_TYPE] VARCHAR(16),
  [POWDER_KIND_SRC] VARCHAR(32),
  [LAST_POWDER_KIND] DECIMAL(10,2),
  [TUNDISH_T] DECIMAL(12,3),
  [STRAND_NO_FLAG] CHAR(1),
  [MOLD_LEVEL_TYPE] VARCHAR(16),
  [CAST_SPD_UNIT] VARCHAR(8),
  [CAST_NO_SRC] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'CYCLE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本连铸的上次出钢温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'LAST_TAP_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸装入量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'CHARGE_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸废钢量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'SCRAP_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始终点碳类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'INIT_END_C_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸保护渣来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'POWDER_KIND_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次保护渣', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'LAST_POWDER_KIND'
GO
EXEC sp_addextendedproperty N'MS_Description', N'中包温度，保留两位小数，缺省时按上一条连铸记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'TUNDISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'流号标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'STRAND_NO_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本连铸的结晶器液位类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'MOLD_LEVEL_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'拉速单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'CAST_SPD_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本连铸的浇次号来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_HIS', N'COLUMN', N'CAST_NO_SRC'
GO
CREATE TABLE [dbo].[T_LG_CAST_MAIN] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [POWDER_KIND_DESC] VARCHAR(200),
  [POWDER_KIND] DECIMAL(10,2),
  [SLAB_LEN_SRC] VARCHAR(32),
  [CAST_NO] FLOAT,
  [SPRAY_QTY] DATETIME2,
  [STRAND_NO_VER] INT,
  [INIT_POWDER_KIND] INT,
  [MOLD_LEVEL] FLOAT,
  [REAL_SCRATCH_DEP] FLOAT,
  [IMG_PATH_SRC] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸保护渣说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'POWDER_KIND_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸保护渣', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'POWDER_KIND'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本连铸的铸坯长度来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'SLAB_LEN_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'2024-05-06', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'CAST_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'二冷水量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'SPRAY_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始保护渣', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'INIT_POWDER_KIND'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本连铸的结晶器液位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'MOLD_LEVEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际划伤深度，保留两位小数，缺省时按上一条连铸记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'REAL_SCRATCH_DEP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'图像路径来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_MAIN', N'COLUMN', N'IMG_PATH_SRC'
GO
CREATE TABLE [dbo].[T_LG_CAST_REC] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [CYCLE_MIN_SRC] VARCHAR(32),
  [CYCLE_MIN] DECIMAL(12,3),
  [CAST_NO] DECIMAL(10,2),
  [castNoUnit] VARCHAR(8),
  [CAST_SPD] INT,
  [CAST_SPD_FLAG] CHAR(1),
  [AVG_MOLD_LEVEL_UNIT] VARCHAR(8),
  [CUR_SLAB_LEN] DATETIME2,
  [PLAN_TUNDISH_T] DECIMAL(12,3),
  [TUNDISH_T] DATETIME2,
  [POWDER_KIND] DATETIME2,
  [STRAND_NO] INT,
  [MOLD_LEVEL] VARCHAR(200),
  [imgPath] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸记录表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'CYCLE_MIN_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'CYCLE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸浇次号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'CAST_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'浇次号单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'castNoUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本连铸的拉速', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'CAST_SPD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'拉速标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'CAST_SPD_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均结晶器液位单位，保留两位小数，缺省时按上一条连铸记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'AVG_MOLD_LEVEL_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前铸坯长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'CUR_SLAB_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定中包温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'PLAN_TUNDISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'中包温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'TUNDISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸保护渣', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'POWDER_KIND'
GO
EXEC sp_addextendedproperty N'MS_Description', N'连铸流号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'STRAND_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本连铸的结晶器液位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'MOLD_LEVEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'图像路径', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CAST_REC', N'COLUMN', N'imgPath'
GO
CREATE TABLE [dbo].[T_LG_CHEM_HIS] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [chemMaxUnit] VARCHAR(8),
  [CUR_STEEL_GRADE] DECIMAL(10,2),
  [CHEM_MAX] DATETIME2,
  [RESIDUAL_VER] INT,
  [NK_MN_PCT] VARCHAR(64),
  [AVG_STEEL_GRADE] VARCHAR(64),
  [MN_PCT_SRC] VARCHAR(32),
  [PLAN_MN_PCT_DESC] VARCHAR(200),
  [NK_LADLE_ANA] VARCHAR(64),
  [NK_RESIDUAL_VER] INT,
  [MN_PCT] VARCHAR(200),
  [SAMPLE_NO_UNIT] VARCHAR(8),
  [CUT_POS] FLOAT,
  [REAL_CUT_POS] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前钢种牌号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'CUR_STEEL_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分上限', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'CHEM_MAX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'残余元素版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'RESIDUAL_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控锰含量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'NK_MN_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均钢种牌号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'AVG_STEEL_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'锰含量来源，保留两位小数，缺省时按上一条成分记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'MN_PCT_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定锰含量说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'PLAN_MN_PCT_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本成分的内控熔炼分析', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'NK_LADLE_ANA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控残余元素版本，保留两位小数，缺省时按上一条成分记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'NK_RESIDUAL_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分锰含量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'MN_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试样号单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'SAMPLE_NO_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'取样位置', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_HIS', N'COLUMN', N'CUT_POS'
GO
CREATE TABLE [dbo].[T_LG_CHEM_MAIN] (
  [CREATE_TIME] DATETIME2,
  [REMARK] VARCHAR(500),
  [ORI_ELECTRODE] DATETIME2,
  [C_PCT] DECIMAL(12,3),
  [INIT_SI_AIM] VARCHAR(200),
  [ladleAna] DECIMAL(10,2),
  [STEEL_GRADE] DECIMAL(12,3),
  [LADLE_ANA] DECIMAL(10,2),
  [SI_AIM_SRC] VARCHAR(32),
  [NK_MN_PCT_UNIT] VARCHAR(8),
  [nkSiAim] DATETIME2,
  [ALLOY_MIX_UNIT] VARCHAR(8),
  [MAX_HARD_VAL] VARCHAR(64)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本成分的原始电极消耗', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'ORI_ELECTRODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分碳含量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'C_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始目标硅', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'INIT_SI_AIM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'熔炼分析', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'ladleAna'
GO
EXEC sp_addextendedproperty N'MS_Description', N'钢种牌号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'STEEL_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'熔炼分析，保留两位小数，缺省时按上一条成分记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'LADLE_ANA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分目标硅来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'SI_AIM_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控锰含量单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'NK_MN_PCT_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本成分的内控目标硅', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'nkSiAim'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合金配比单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'ALLOY_MIX_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高硬度值', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'MAX_HARD_VAL'
GO
CREATE TABLE [dbo].[T_LG_DESULF_DTL] (
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [PERM_IDX_SRC] VARCHAR(32),
  [LAST_IRON_TEMP] DATETIME2,
  [PERM_IDX_VER] INT,
  [COKE_RATE] DECIMAL(10,2),
  [STIR_RPM_UNIT] VARCHAR(8),
  [DESULF_QTY] VARCHAR(200),
  [LAST_SKIM_TM_VER] INT,
  [LADLE_NO_FLAG] CHAR(1),
  [S_AFTER] INT,
  [skimTmFlag] CHAR(1),
  [S_BEFORE] INT,
  [LADLE_NO] DECIMAL(10,2),
  [INIT_LANCE_NO] DATETIME2,
  [S_BEFORE_DESC] VARCHAR(200),
  [CHARGE_QTY] VARCHAR(200),
  [ORI_END_C] VARCHAR(64),
  [FLUX_QTY] INT,
  [chargeQty] INT,
  [TAP_TEMP] DECIMAL(12,3),
  [CUR_FLUX_QTY] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'透气性指数来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'PERM_IDX_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'透气性指数版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'PERM_IDX_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫焦比', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'COKE_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'搅拌转速单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'STIR_RPM_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫剂用量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'DESULF_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次扒渣时间版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'LAST_SKIM_TM_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'铁水罐号标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'LADLE_NO_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'处理后硫，由脱硫岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'S_AFTER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫扒渣时间标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'skimTmFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫处理前硫', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'S_BEFORE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始喷枪号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'INIT_LANCE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'处理前硫说明，保留两位小数，缺省时按上一条脱硫记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'S_BEFORE_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫装入量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'CHARGE_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始终点碳', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'ORI_END_C'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱硫造渣料', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'FLUX_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装入量，由脱硫岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'chargeQty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'出钢温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'TAP_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前造渣料', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DESULF_DTL', N'COLUMN', N'CUR_FLUX_QTY'
GO
CREATE TABLE [dbo].[T_LG_DICT_DAY] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [CRON_EXP] VARCHAR(64),
  [引用标准类别] VARCHAR(16),
  [DICT_VALUE] VARCHAR(200),
  [PLAN_CODE_SET] INT,
  [DICT_LABEL_TYPE] VARCHAR(16),
  [STOP_FLAG] VARCHAR(64),
  [CUR_LANG_CD_FLAG] CHAR(1),
  [REAL_STOP_FLAG] VARCHAR(200),
  [USAGE_TXT] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典日报表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'定时表达式', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'CRON_EXP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本字典的字典键值', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'DICT_VALUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定代码集', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'PLAN_CODE_SET'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本字典的字典标签类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'DICT_LABEL_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典停用标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'STOP_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典当前语种标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'CUR_LANG_CD_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际停用标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'REAL_STOP_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'用途说明，保留两位小数，缺省时按上一条字典记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_DAY', N'COLUMN', N'USAGE_TXT'
GO
CREATE TABLE [dbo].[T_LG_DICT_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [INIT_CRON_EXP] FLOAT,
  [REF_STD] DECIMAL(10,2),
  [LAST_CODE_SET] VARCHAR(64),
  [maxLangCd] VARCHAR(200),
  [DICT_LABEL] DECIMAL(12,3),
  [dictLabelVer] INT,
  [LANG_CD] FLOAT,
  [REF_STD_DESC] VARCHAR(200),
  [CODE_SET] FLOAT,
  [DICT_VALUE] DECIMAL(10,2),
  [原始停用标记版本] INT,
  [candidates] VARCHAR(200),
  [SCENARIO_CODE] VARCHAR(16)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本字典的初始定时表达式', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'INIT_CRON_EXP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本字典的引用标准', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'REF_STD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次代码集，保留两位小数，缺省时按上一条字典记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'LAST_CODE_SET'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典最高语种', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'maxLangCd'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典字典标签', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'DICT_LABEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典字典标签版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'dictLabelVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典语种', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'LANG_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'引用标准说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'REF_STD_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典代码集', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'CODE_SET'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典键值，保留两位小数，缺省时按上一条字典记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'DICT_VALUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本字典的原始停用标记版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'原始停用标记版本'
GO
EXEC sp_addextendedproperty N'MS_Description', N'候选取值', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'candidates'
GO
EXEC sp_addextendedproperty N'MS_Description', N'仿真情景的代码集', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_DICT_MAIN', N'COLUMN', N'SCENARIO_CODE'
GO
INSERT INTO [dbo].[T_LG_DICT_MAIN] VALUES (N'DATA-MUST-NOT-BE-READ')
GO
CREATE TABLE [dbo].[T_LG_HEAT_CFG] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [END_C_TYPE] VARCHAR(16),
  [avgChargeQty] DECIMAL(10,2),
  [AVG_TAP_TEMP] FLOAT,
  [SCRAP_QTY] FLOAT,
  [SCRAP_QTY_UNIT] VARCHAR(8),
  [CYCLE_MIN] DATETIME2,
  [LAST_SCRAP_QTY] DATETIME2,
  [CAMPAIGN_AGE] DECIMAL(12,3),
  [O2_FLOW] DECIMAL(12,3),
  [CUR_SOFT_BLOW_FLAG] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次配置表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次终点碳类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'END_C_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均装入量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'avgChargeQty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次平均出钢温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'AVG_TAP_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本炉次的废钢量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'SCRAP_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'废钢量单位，由炉次岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'SCRAP_QTY_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本炉次的冶炼周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'CYCLE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'氧气流量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'O2_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前软吹时间标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_CFG', N'COLUMN', N'CUR_SOFT_BLOW_FLAG'
GO
CREATE TABLE [dbo].[T_LG_HEAT_DAY] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [TAP_TEMP] VARCHAR(200),
  [LAST_END_C] INT,
  [CAMPAIGN_AGE_VER] INT,
  [SCRAP_QTY] FLOAT,
  [CHARGE_QTY] VARCHAR(200),
  [scrapQty] DECIMAL(12,3),
  [LAST_HEAT_NO_FLAG] CHAR(1),
  [BLOW_STAGE] VARCHAR(64),
  [OFFGAS_VAL] DATETIME2,
  [MAX_MN_PCT] DATETIME2
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次日报表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'出钢温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'TAP_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次终点碳，保留两位小数，缺省时按上一条炉次记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'LAST_END_C'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉龄版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'CAMPAIGN_AGE_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次废钢量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'SCRAP_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装入量，由炉次岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'CHARGE_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次废钢量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'scrapQty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次炉号标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'LAST_HEAT_NO_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹炼阶段，由炉次岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'BLOW_STAGE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'烟气分析', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'OFFGAS_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次最高锰含量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DAY', N'COLUMN', N'MAX_MN_PCT'
GO
CREATE TABLE [dbo].[T_LG_HEAT_DTL] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [SCRAP_QTY] VARCHAR(64),
  [CAMPAIGN_AGE] INT,
  [CHARGE_QTY] VARCHAR(64),
  [END_C] INT,
  [终点碳] VARCHAR(64),
  [MAX_CYCLE_MIN] VARCHAR(64),
  [ORI_CHARGE_QTY_UNIT] VARCHAR(8),
  [DECARB_RATE] DATETIME2,
  [MAX_SUBLANCE_T_TYPE] VARCHAR(16),
  [SLAG_ADD] DATETIME2,
  [VACUUM_PA] VARCHAR(200),
  [INIT_SI_AIM_FLAG] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次废钢量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'SCRAP_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次炉龄', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'CAMPAIGN_AGE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次装入量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'CHARGE_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'END_C'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次终点碳', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'终点碳'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高冶炼周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'MAX_CYCLE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始装入量单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'ORI_CHARGE_QTY_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'脱碳速率，由炉次岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'DECARB_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本炉次的渣料加入量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'SLAG_ADD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本炉次的初始目标硅标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_DTL', N'COLUMN', N'INIT_SI_AIM_FLAG'
GO
CREATE TABLE [dbo].[T_LG_HEAT_HIS] (
  [ID] BIGINT,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [CYCLE_MIN] DATETIME2,
  [END_C_TYPE] VARCHAR(16),
  [HEAT_NO] DATETIME2,
  [CHARGE_QTY] VARCHAR(64),
  [FLUX_QTY] VARCHAR(64),
  [SCRAP_QTY_DESC] VARCHAR(200),
  [CYCLE_MIN_SRC] VARCHAR(32),
  [CHARGE_QTY_TYPE] VARCHAR(16),
  [END_C] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'CYCLE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'终点碳类别，由炉次岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'END_C_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次炉号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'HEAT_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次装入量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'CHARGE_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次造渣料', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'FLUX_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'废钢量说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'SCRAP_QTY_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'CYCLE_MIN_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装入量类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'CHARGE_QTY_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次终点碳', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_HIS', N'COLUMN', N'END_C'
GO
CREATE TABLE [dbo].[T_LG_HEAT_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [造渣料] VARCHAR(200),
  [LAST_TAP_TEMP] DECIMAL(12,3),
  [SCRAP_QTY] DECIMAL(12,3),
  [HEAT_NO] DATETIME2,
  [CYCLE_MIN] VARCHAR(200),
  [HEAT_NO_VER] INT,
  [HEAT_NO_UNIT] VARCHAR(8),
  [PLAN_CHARGE_QTY_SRC] VARCHAR(32),
  [ORI_SCRAP_QTY] INT,
  [CUR_HEAT_RATE] VARCHAR(64),
  [AR_FLOW_DESC] VARCHAR(200),
  [STEEL_GRADE_DESC] VARCHAR(200),
  [PLAN_SI_AIM] DECIMAL(12,3),
  [LADLE_ANA_DESC] VARCHAR(200),
  [ORI_MN_PCT] DECIMAL(10,2),
  [GRADE_REF] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本炉次的造渣料', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'造渣料'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次出钢温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'LAST_TAP_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次废钢量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'SCRAP_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本炉次的炉号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'HEAT_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'CYCLE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉号版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'HEAT_NO_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定装入量来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'PLAN_CHARGE_QTY_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始废钢量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'ORI_SCRAP_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前升温速率', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'CUR_HEAT_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'钢种牌号说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'STEEL_GRADE_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定目标硅', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'PLAN_SI_AIM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'熔炼分析说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'LADLE_ANA_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始锰含量（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'ORI_MN_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼牌号，参见B2-10', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_MAIN', N'COLUMN', N'GRADE_REF'
GO
CREATE TABLE [dbo].[T_LG_HEAT_REC] (
  [ID] BIGINT,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [SCRAP_QTY] FLOAT,
  [FLUX_QTY] DECIMAL(10,2),
  [LAST_TAP_TEMP_TYPE] VARCHAR(16),
  [CYCLE_MIN] DECIMAL(12,3),
  [ORI_FLUX_QTY] INT,
  [SCRAP_QTY_DESC] VARCHAR(200),
  [oriCycleMin] FLOAT,
  [TAP_TEMP] DECIMAL(12,3),
  [INIT_HEAT_RATE] DECIMAL(12,3),
  [HEAT_RATE] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次记录表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次造渣料', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'FLUX_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'CYCLE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次原始造渣料', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'ORI_FLUX_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'废钢量说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'SCRAP_QTY_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始冶炼周期（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'oriCycleMin'
GO
EXEC sp_addextendedproperty N'MS_Description', N'出钢温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'TAP_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始升温速率', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'INIT_HEAT_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次升温速率', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_REC', N'COLUMN', N'HEAT_RATE'
GO
CREATE TABLE [dbo].[T_LG_HEAT_SUM] (
  [STATUS] CHAR(1),
  [CHARGE_QTY_SRC] VARCHAR(32),
  [initFluxQtySrc] VARCHAR(32),
  [CAMPAIGN_AGE] DATETIME2,
  [END_C] VARCHAR(200),
  [REAL_CHARGE_QTY_UNIT] VARCHAR(8),
  [CHARGE_QTY_UNIT] VARCHAR(8),
  [INIT_END_C_DESC] VARCHAR(200),
  [冶炼周期类别] VARCHAR(16),
  [CHARGE_QTY] FLOAT,
  [CYCLE_MIN_UNIT] VARCHAR(8),
  [INIT_AR_FLOW] DATETIME2,
  [SI_AIM] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次汇总表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装入量来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'CHARGE_QTY_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉龄，保留两位小数，缺省时按上一条炉次记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'CAMPAIGN_AGE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次终点碳', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'END_C'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装入量单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'CHARGE_QTY_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始终点碳说明，由炉次岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'INIT_END_C_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期类别，由炉次岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'冶炼周期类别'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次装入量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'CHARGE_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冶炼周期单位（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'CYCLE_MIN_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始吹氩流量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'INIT_AR_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次目标硅', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_SUM', N'COLUMN', N'SI_AIM'
GO
CREATE TABLE [dbo].[T_LG_HEAT_TMP] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [AVG_HEAT_NO] VARCHAR(64),
  [END_C_SRC] VARCHAR(32),
  [LAST_TAP_TEMP_FLAG] CHAR(1),
  [CAMPAIGN_AGE] VARCHAR(64),
  [REAL_END_C_FLAG] CHAR(1),
  [MAX_END_C] DECIMAL(12,3),
  [MAX_SCRAP_QTY_VER] INT,
  [SCRAP_QTY] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次暂存表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均炉号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'AVG_HEAT_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本炉次的终点碳来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'END_C_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次出钢温度标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'LAST_TAP_TEMP_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本炉次的炉龄', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'CAMPAIGN_AGE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际终点碳标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'REAL_END_C_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高终点碳（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'MAX_END_C'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本炉次的最高废钢量版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'MAX_SCRAP_QTY_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'炉次废钢量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_HEAT_TMP', N'COLUMN', N'SCRAP_QTY'
GO
CREATE TABLE [dbo].[T_LG_LF_DAY] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [CHUIYA_DANWEI] VARCHAR(8),
  [ELECTRODE] DECIMAL(12,3),
  [vacuumPaSrc] VARCHAR(32),
  [REFINE_MIN] FLOAT,
  [MAX_WIRE_LEN_SRC] VARCHAR(32),
  [MAX_ELECTRODE] VARCHAR(200),
  [AR_FLOW] DECIMAL(10,2),
  [REAL_AR_FLOW_UNIT] VARCHAR(8),
  [PLAN_AR_FLOW_VER] INT,
  [WIRE_LEN_SRC] VARCHAR(32),
  [SOFT_BLOW_VER] INT,
  [TUNDISH_T] DATETIME2,
  [CAST_SPD] INT,
  [SPRAY_QTY_DESC] VARCHAR(200),
  [AVG_CAST_SPD] FLOAT,
  [SPRAY_QTY] FLOAT,
  [REAL_SLAB_LEN] INT,
  [INIT_SLAB_LEN_DESC] VARCHAR(200),
  [SI_AIM] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼日报表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹氩流量单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'CHUIYA_DANWEI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'电极消耗，保留两位小数，缺省时按上一条精炼记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'ELECTRODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本精炼的真空度来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'vacuumPaSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本精炼的精炼时长', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'REFINE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高喂丝长度来源，由精炼岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'MAX_WIRE_LEN_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本精炼的最高电极消耗', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'MAX_ELECTRODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹氩流量，由精炼岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'AR_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际吹氩流量单位，保留两位小数，缺省时按上一条精炼记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'REAL_AR_FLOW_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定吹氩流量版本（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'PLAN_AR_FLOW_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'软吹时间版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'SOFT_BLOW_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'中包温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'TUNDISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼拉速', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'CAST_SPD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'二冷水量说明，保留两位小数，缺省时按上一条精炼记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'SPRAY_QTY_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均拉速', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'AVG_CAST_SPD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际铸坯长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'REAL_SLAB_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'目标硅，保留两位小数，缺省时按上一条精炼记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DAY', N'COLUMN', N'SI_AIM'
GO
CREATE TABLE [dbo].[T_LG_LF_DTL] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [SOFT_BLOW] VARCHAR(64),
  [LAST_VACUUM_PA] VARCHAR(64),
  [AR_FLOW] INT,
  [CHUIYA] DATETIME2,
  [SOFT_BLOW_TYPE] VARCHAR(16),
  [WIRE_LEN] FLOAT,
  [MAX_WIRE_LEN] VARCHAR(64),
  [CUR_VACUUM_PA_UNIT] VARCHAR(8),
  [AR_FLOW_DESC] VARCHAR(200),
  [LAST_REFINE_MIN] DECIMAL(10,2),
  [VACUUM_PA_SRC] VARCHAR(32),
  [SPRAY_QTY] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼终点温度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'SOFT_BLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼上次真空度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'LAST_VACUUM_PA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹氩流量（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'AR_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹氩流量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'CHUIYA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'软吹时间类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'SOFT_BLOW_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'喂丝长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'WIRE_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高喂丝长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'MAX_WIRE_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼当前真空度单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'CUR_VACUUM_PA_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本精炼的吹氩流量说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'AR_FLOW_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次精炼时长', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'LAST_REFINE_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'真空度来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'VACUUM_PA_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'二冷水量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_DTL', N'COLUMN', N'SPRAY_QTY'
GO
CREATE TABLE [dbo].[T_LG_LF_HIS] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [SLAG_ADD] DECIMAL(10,2),
  [REFINE_MIN_SRC] VARCHAR(32),
  [heatRate] DECIMAL(10,2),
  [MAX_AR_FLOW] VARCHAR(200),
  [AR_FLOW] FLOAT,
  [PLAN_ELECTRODE] DECIMAL(12,3),
  [SOFT_BLOW_VER] INT,
  [SLAG_ADD_TYPE] VARCHAR(16),
  [WIRE_LEN] FLOAT,
  [SOFT_BLOW] DATETIME2,
  [TUNDISH_T_DESC] VARCHAR(200),
  [INIT_CAST_SPD_FLAG] CHAR(1),
  [DANGQIAN_JIAOCI] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'渣料加入量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'SLAG_ADD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'升温速率', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'heatRate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高吹氩流量（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'MAX_AR_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吹氩流量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'AR_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定电极消耗，保留两位小数，缺省时按上一条精炼记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'PLAN_ELECTRODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'软吹时间版本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'SOFT_BLOW_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼渣料加入量类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'SLAG_ADD_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'喂丝长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'WIRE_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本精炼的软吹时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'SOFT_BLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'中包温度说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'TUNDISH_T_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始拉速标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_HIS', N'COLUMN', N'INIT_CAST_SPD_FLAG'
GO
CREATE TABLE [dbo].[T_LG_LF_MAIN] (
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [HEAT_RATE] DATETIME2,
  [wireLen] VARCHAR(64),
  [PLAN_ELECTRODE] VARCHAR(64),
  [ELECTRODE] FLOAT,
  [AR_FLOW] FLOAT,
  [VACUUM_PA] INT,
  [WIRE_LEN] DECIMAL(10,2),
  [HEAT_RATE_TYPE] VARCHAR(16),
  [maxVacuumPa] DECIMAL(10,2),
  [electrodeSrc] VARCHAR(32),
  [ELECTRODE_SRC] VARCHAR(32),
  [INIT_CAST_NO] DATETIME2,
  [SHANGCI_LASU_SHUOMING] VARCHAR(200),
  [AVG_MOLD_LEVEL] INT,
  [CUR_CAST_SPD] VARCHAR(200),
  [REAL_MOLD_LEVEL] DECIMAL(12,3),
  [slabLen] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'20260101', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'HEAT_RATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本精炼的喂丝长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'wireLen'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定电极消耗', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'PLAN_ELECTRODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'电极消耗', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'ELECTRODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'精炼真空度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'VACUUM_PA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'喂丝长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'WIRE_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'升温速率类别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'HEAT_RATE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'电极消耗来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'electrodeSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本精炼的电极消耗来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'ELECTRODE_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始浇次号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'INIT_CAST_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次拉速说明，由精炼岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'SHANGCI_LASU_SHUOMING'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均结晶器液位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'AVG_MOLD_LEVEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前拉速', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'CUR_CAST_SPD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际结晶器液位，由精炼岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'REAL_MOLD_LEVEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本精炼的铸坯长度', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_LF_MAIN', N'COLUMN', N'slabLen'
GO
CREATE TABLE [dbo].[T_LG_SCHED_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [ORI_GOODS_SPEC] INT,
  [REAL_PROD_SPEC_DESC] VARCHAR(200),
  [INIT_RECOM_GRADE] DECIMAL(12,3),
  [MAX_PROD_NAME] DATETIME2,
  [PLAN_FEED_DATE] DECIMAL(12,3),
  [CUR_ROLLING_DAYS_FLAG] CHAR(1),
  [PLAN_NO] FLOAT,
  [LAST_PLAN_QTY_SRC] VARCHAR(32),
  [ROLLING_DAYS] VARCHAR(200),
  [BOTTLENECK] DECIMAL(12,3),
  [MERGE_RULE] VARCHAR(64),
  [FEED_DATE_UNIT] VARCHAR(8),
  [INIT_PLAN_QTY] FLOAT,
  [MERGE_RULE_TYPE] VARCHAR(16),
  [PLAN_SEQ] DATETIME2,
  [PLAN_SEQ_TYPE] VARCHAR(16)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程主表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'ORI_GOODS_SPEC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际产品规格说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'REAL_PROD_SPEC_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高产品名称，由排程岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'MAX_PROD_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程预定投料日期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'PLAN_FEED_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程当前滚动周期标记', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'CUR_ROLLING_DAYS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程计划号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'PLAN_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程滚动周期', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'ROLLING_DAYS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程瓶颈工序', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'BOTTLENECK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同归并', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'MERGE_RULE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'投料日期单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'FEED_DATE_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始计划产量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'INIT_PLAN_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同归并类别，保留两位小数，缺省时按上一条排程记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'MERGE_RULE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程排产顺序', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_SCHED_MAIN', N'COLUMN', N'PLAN_SEQ'
GO
CREATE TABLE [dbo].[T_LG_USER_HIS] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [PRIV_MENU_AUTH] DECIMAL(12,3),
  [PRIV_PWD_RULE] INT,
  [PRIV_OWN_ROLE] DECIMAL(10,2),
  [特权登录账号来源] VARCHAR(32),
  [ORI_OWN_ROLE] DECIMAL(12,3),
  [PRIV_ROLE_NAME] INT,
  [LAST_VISIT_IP] DATETIME2,
  [LOG_LEVEL] DATETIME2,
  [costMs] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权菜单权限，保留两位小数，缺省时按上一条用户记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'PRIV_MENU_AUTH'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权口令策略', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'PRIV_PWD_RULE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权所属角色', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'PRIV_OWN_ROLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权登录账号来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'特权登录账号来源'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始所属角色', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'ORI_OWN_ROLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权角色名称，由用户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'PRIV_ROLE_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户日志级别', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'LOG_LEVEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'耗时毫秒，由用户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_USER_HIS', N'COLUMN', N'costMs'
GO
USE [ROLL_DB]
GO
CREATE TABLE [dbo].[T_ZG_DEFECT_DAY] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [FINISH_T] VARCHAR(200),
  [INIT_CRACK_LEN] VARCHAR(200),
  [SCALE_GRADE] VARCHAR(64),
  [SCAB_AREA_DESC] VARCHAR(200),
  [CUR_SCALE_GRADE] VARCHAR(64),
  [CRACK_LEN] DECIMAL(12,3),
  [IMG_PATH_FLAG] CHAR(1),
  [ZY_PANDING_BANBEN] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷日报表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'终轧温度，由缺陷岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'FINISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始裂纹长度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'INIT_CRACK_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'氧化铁皮', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'SCALE_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'结疤面积说明，保留两位小数，缺省时按上一条缺陷记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'SCAB_AREA_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前氧化铁皮', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'CUR_SCALE_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'裂纹长度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'CRACK_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'图像路径标记，由缺陷岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'IMG_PATH_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议判定结果版本（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DAY', N'COLUMN', N'ZY_PANDING_BANBEN'
GO
CREATE TABLE [dbo].[T_ZG_DEFECT_DTL] (
  [ID] BIGINT,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [REDUCTION] DECIMAL(12,3),
  [SCAB_AREA_SRC] VARCHAR(32),
  [ZUIGAO_QUEXIAN] INT,
  [CAMERA_NO_TYPE] VARCHAR(16),
  [AVG_IMG_PATH_TYPE] VARCHAR(16),
  [LAST_DEFECT_POS] DATETIME2,
  [LAST_SCRATCH_DEP_UNIT] VARCHAR(8),
  [MAX_IMG_PATH] FLOAT,
  [CAMERA_NO] DECIMAL(12,3),
  [DEGRADE_WT] DATETIME2,
  [ZY_REJUDGE_TXT] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷压下量', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'REDUCTION'
GO
EXEC sp_addextendedproperty N'MS_Description', N'结疤面积来源，由缺陷岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'SCAB_AREA_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高缺陷类型', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'ZUIGAO_QUEXIAN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'相机编号类别', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'CAMERA_NO_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均图像路径类别（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'AVG_IMG_PATH_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次缺陷位置', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'LAST_DEFECT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次划伤深度单位', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'LAST_SCRATCH_DEP_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'相机编号（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'CAMERA_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议改判原因，保留两位小数，缺省时按上一条缺陷记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_DEFECT_DTL', N'COLUMN', N'ZY_REJUDGE_TXT'
GO
CREATE TABLE [dbo].[T_ZG_FURN_DAY] (
  [CREATE_TIME] DATETIME2,
  [INIT_AIR_FUEL] DECIMAL(12,3),
  [PLAN_CHARGE_T] VARCHAR(64),
  [GAS_PRES] FLOAT,
  [BEAM_CYCLE] DATETIME2,
  [PLAN_AIR_FUEL] INT,
  [INIT_REST_O2] VARCHAR(200),
  [CUR_ZONE_TEMP_UNIT] VARCHAR(8),
  [ZONE_TEMP] FLOAT,
  [CHARGE_T_UNIT] VARCHAR(8),
  [LAST_METER_RATIO] DATETIME2,
  [CONV_FACTOR_VER] INT,
  [N2_PRES] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热炉日报表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本加热炉的初始空燃比', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'INIT_AIR_FUEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本加热炉的预定装炉温度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'PLAN_CHARGE_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热炉煤气压力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'GAS_PRES'
GO
EXEC sp_addextendedproperty N'MS_Description', N'步进周期（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'BEAM_CYCLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本加热炉的预定空燃比', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'PLAN_AIR_FUEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始残氧', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'INIT_REST_O2'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前加热段炉温单位', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'CUR_ZONE_TEMP_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热段炉温', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'ZONE_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装炉温度单位（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'CHARGE_T_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次表计倍率，由加热炉岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'LAST_METER_RATIO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'氮气压力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DAY', N'COLUMN', N'N2_PRES'
GO
CREATE TABLE [dbo].[T_ZG_FURN_DTL] (
  [UPDATE_USER] VARCHAR(32),
  [AVG_THREAD_SPD] DATETIME2,
  [SHIJI_ZHAZHILI] DECIMAL(12,3),
  [INIT_THREAD_SPD] DATETIME2,
  [GAS_PRES] DATETIME2,
  [REST_O2] INT,
  [AIR_FUEL] INT,
  [ORI_CHARGE_T] VARCHAR(64),
  [AVG_BEAM_CYCLE] DECIMAL(10,2),
  [MAX_AIR_FUEL_DESC] VARCHAR(200),
  [ORI_AIR_FUEL_UNIT] VARCHAR(8),
  [BEAM_CYCLE_FLAG] CHAR(1),
  [N2_PRES] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热炉明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本加热炉的平均穿带速度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'AVG_THREAD_SPD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际轧制力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'SHIJI_ZHAZHILI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'/', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'INIT_THREAD_SPD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热炉残氧', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'REST_O2'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热炉空燃比', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'AIR_FUEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始装炉温度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'ORI_CHARGE_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均步进周期', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'AVG_BEAM_CYCLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热炉最高空燃比说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'MAX_AIR_FUEL_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始空燃比单位（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'ORI_AIR_FUEL_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'步进周期标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'BEAM_CYCLE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'氮气压力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_DTL', N'COLUMN', N'N2_PRES'
GO
CREATE TABLE [dbo].[T_ZG_FURN_HIS] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [GAS_PRES] DECIMAL(12,3),
  [REAL_AIR_FUEL_TYPE] VARCHAR(16),
  [REST_O2] FLOAT,
  [BEAM_CYCLE] VARCHAR(200),
  [INIT_AIR_FUEL] DECIMAL(10,2),
  [DROP_TEMP_FLAG] CHAR(1),
  [SHIJI_CHULU_LEIBIE] VARCHAR(16),
  [ZONE_TEMP_SRC] VARCHAR(32),
  [REAL_CHARGE_T] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热炉历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'煤气压力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'GAS_PRES'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际空燃比类别（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'REAL_AIR_FUEL_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本加热炉的残氧', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'REST_O2'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'BEAM_CYCLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始空燃比，由加热炉岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'INIT_AIR_FUEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热炉出炉温度标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'DROP_TEMP_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际出炉温度类别', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'SHIJI_CHULU_LEIBIE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热段炉温来源', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'ZONE_TEMP_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际装炉温度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_HIS', N'COLUMN', N'REAL_CHARGE_T'
GO
CREATE TABLE [dbo].[T_ZG_FURN_MAIN] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [REAL_ZONE_TEMP] INT,
  [GAS_PRES] DECIMAL(10,2),
  [STAY_MIN] INT,
  [REAL_ZONE_TEMP_DESC] VARCHAR(200),
  [AIR_FUEL_UNIT] VARCHAR(8),
  [AIR_FUEL] DECIMAL(12,3),
  [CHARGE_T] FLOAT,
  [BEAM_CYCLE] FLOAT,
  [N2_PRES] VARCHAR(200),
  [MEIQI] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际加热段炉温', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'REAL_ZONE_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'煤气压力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'GAS_PRES'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际加热段炉温说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'REAL_ZONE_TEMP_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'空燃比单位', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'AIR_FUEL_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加热炉空燃比', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'AIR_FUEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装炉温度，由加热炉岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'CHARGE_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'步进周期', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'BEAM_CYCLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'煤气用量', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_FURN_MAIN', N'COLUMN', N'MEIQI'
GO
CREATE TABLE [dbo].[T_ZG_MILL_DAY] (
  [STATUS] CHAR(1),
  [DAOCI_SHUOMING] VARCHAR(200),
  [FINISH_T] DATETIME2,
  [DAOCI] VARCHAR(64),
  [PLAN_THREAD_SPD_TYPE] VARCHAR(16),
  [PLAN_REDUCTION] VARCHAR(200),
  [ROLL_GAP] DECIMAL(10,2),
  [THREAD_SPD_UNIT] VARCHAR(8),
  [REAL_FINISH_T_TYPE] VARCHAR(16),
  [PLAN_THREAD_SPD_DESC] VARCHAR(200),
  [ZONE_TEMP_TYPE] VARCHAR(16),
  [REAL_REST_O2] DECIMAL(12,3),
  [SHIFT_POS] VARCHAR(64),
  [EDGE_DROP_TYPE] VARCHAR(16),
  [FLATNESS_VER] INT,
  [GUNJING_LEIBIE] VARCHAR(16),
  [maxChangeTmSrc] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制日报表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制道次说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'DAOCI_SHUOMING'
GO
EXEC sp_addextendedproperty N'MS_Description', N'终轧温度（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'FINISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制道次', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'DAOCI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧制的预定压下量', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'PLAN_REDUCTION'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制辊缝', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'ROLL_GAP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'穿带速度单位', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'THREAD_SPD_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际终轧温度类别，保留两位小数，缺省时按上一条轧制记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'REAL_FINISH_T_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定穿带速度说明（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'PLAN_THREAD_SPD_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧制的加热段炉温类别', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'ZONE_TEMP_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制实际残氧', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'REAL_REST_O2'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制窜辊量', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'SHIFT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'边部减薄类别', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'EDGE_DROP_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平直度版本，由轧制岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'FLATNESS_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'辊径类别', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'GUNJING_LEIBIE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制最高换辊时间来源', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DAY', N'COLUMN', N'maxChangeTmSrc'
GO
CREATE TABLE [dbo].[T_ZG_MILL_DTL] (
  [UPDATE_USER] VARCHAR(32),
  [CUR_REDUCTION_UNIT] VARCHAR(8),
  [YUDING_DAOCI_LAIYUAN] VARCHAR(32),
  [REDUCTION] DECIMAL(10,2),
  [ZUIGAO_JUANQU] DECIMAL(12,3),
  [ZHAZHILI] INT,
  [ZHAZHILI_BIAOJI] CHAR(1),
  [TENSION_SET_SRC] VARCHAR(32),
  [TENSION_SET] DECIMAL(12,3),
  [ZONE_TEMP] DECIMAL(10,2),
  [REST_O2_SRC] VARCHAR(32),
  [SHIFT_POS] VARCHAR(200),
  [realWedgeValUnit] VARCHAR(8),
  [FLATNESS] DECIMAL(12,3),
  [WEDGE_VAL] VARCHAR(64),
  [BEND_FORCE] DECIMAL(12,3),
  [ZHAGUN] INT,
  [GRIND_QTY] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前压下量单位', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'CUR_REDUCTION_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定道次来源（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'YUDING_DAOCI_LAIYUAN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制压下量', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'REDUCTION'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高卷取温度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'ZUIGAO_JUANQU'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制轧制力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'ZHAZHILI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制力标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'ZHAZHILI_BIAOJI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧制的张力设定来源', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'TENSION_SET_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧制的加热段炉温', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'ZONE_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'残氧来源', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'REST_O2_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'窜辊量，保留两位小数，缺省时按上一条轧制记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'SHIFT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际楔形单位', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'realWedgeValUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制平直度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'FLATNESS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制楔形', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'WEDGE_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制弯辊力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'BEND_FORCE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊编号', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'ZHAGUN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制磨削量', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_DTL', N'COLUMN', N'GRIND_QTY'
GO
CREATE TABLE [dbo].[T_ZG_MILL_HIS] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [FINISH_T] VARCHAR(200),
  [SHIJI_JUANQU] INT,
  [ZUIGAO_DAOCI] DECIMAL(12,3),
  [轧制力] VARCHAR(64),
  [ORI_REDUCTION] INT,
  [FINISH_T_SRC] VARCHAR(32),
  [AVG_TENSION_SET] FLOAT,
  [REDUCTION_DESC] VARCHAR(200),
  [JUANQU_BIAOJI] CHAR(1),
  [ROLL_GAP_VER] INT,
  [ZHAZHILI] DECIMAL(10,2),
  [REAL_AIR_FUEL_VER] INT,
  [AVG_ZONE_TEMP] DECIMAL(12,3),
  [PLAN_AIR_FUEL] VARCHAR(64),
  [CHULU_BANBEN] INT,
  [PLAN_GAS_PRES] DATETIME2,
  [flatness] DATETIME2,
  [YUANSHI_TUDU_LEIBIE] VARCHAR(16),
  [CHANGE_TM] VARCHAR(64),
  [INIT_CHANGE_TM] DATETIME2
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'终轧温度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'FINISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际卷取温度（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'SHIJI_JUANQU'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制最高道次', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'ZUIGAO_DAOCI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'轧制力'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧制的原始压下量', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'ORI_REDUCTION'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制终轧温度来源', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'FINISH_T_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均张力设定', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'AVG_TENSION_SET'
GO
EXEC sp_addextendedproperty N'MS_Description', N'压下量说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'REDUCTION_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧制的卷取温度标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'JUANQU_BIAOJI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'辊缝版本', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'ROLL_GAP_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制轧制力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'ZHAZHILI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制实际空燃比版本', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'REAL_AIR_FUEL_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均加热段炉温', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'AVG_ZONE_TEMP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制出炉温度版本', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'CHULU_BANBEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定煤气压力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'PLAN_GAS_PRES'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始凸度类别', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'YUANSHI_TUDU_LEIBIE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'换辊时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'CHANGE_TM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始换辊时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_HIS', N'COLUMN', N'INIT_CHANGE_TM'
GO
CREATE TABLE [dbo].[T_ZG_MILL_MAIN] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [tensionSetUnit] VARCHAR(8),
  [tensionSet] DATETIME2,
  [REAL_ROLL_GAP_FLAG] CHAR(1),
  [TENSION_SET] VARCHAR(64),
  [FINISH_T] DATETIME2,
  [DAOCI_SHUOMING] VARCHAR(200),
  [DAOCI] VARCHAR(64),
  [PINGJUN_ZHAZHILI] FLOAT,
  [THREAD_SPD] FLOAT,
  [AIR_FUEL] DATETIME2,
  [CHARGE_T] FLOAT,
  [TUDU] DECIMAL(10,2),
  [INIT_WEDGE_VAL_SRC] VARCHAR(32),
  [EDGE_DROP_VER] INT,
  [预定辊径] FLOAT,
  [ROLL_HARD] VARCHAR(200),
  [PLAN_ROLL_TON_TYPE] VARCHAR(16)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制主表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'张力设定单位，由轧制岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'tensionSetUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'张力设定，由轧制岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'tensionSet'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧制的实际辊缝标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'REAL_ROLL_GAP_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'张力设定', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'TENSION_SET'
GO
EXEC sp_addextendedproperty N'MS_Description', N'终轧温度，由轧制岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'FINISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'道次说明（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'DAOCI_SHUOMING'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均轧制力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'PINGJUN_ZHAZHILI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧制的空燃比', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'AIR_FUEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制装炉温度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'CHARGE_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'凸度，由轧制岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'TUDU'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始楔形来源，保留两位小数，缺省时按上一条轧制记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'INIT_WEDGE_VAL_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧制的边部减薄版本', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'EDGE_DROP_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定辊径', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'预定辊径'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制辊面硬度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'ROLL_HARD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定轧制吨位类别，由轧制岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_MILL_MAIN', N'COLUMN', N'PLAN_ROLL_TON_TYPE'
GO
CREATE TABLE [dbo].[T_ZG_ROLL_DTL] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [curRollGap] FLOAT,
  [LAST_ROLL_GAP] DECIMAL(10,2),
  [SHIJI_ZHAGUN] VARCHAR(200),
  [PINGJUN_ZHAGUN] DECIMAL(12,3),
  [CHUSHI_ZHAGUN] DATETIME2,
  [CHANGE_TM] DECIMAL(12,3),
  [ROLL_HARD_FLAG] CHAR(1),
  [LOCAL_FLAG_DESC] VARCHAR(200),
  [LEAD_DAYS_FLAG] CHAR(1),
  [SHIJI_BEIJIAN] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前辊缝', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'curRollGap'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次辊缝', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'LAST_ROLL_GAP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧辊的实际轧辊编号', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'SHIJI_ZHAGUN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊平均轧辊编号', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'PINGJUN_ZHAGUN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始轧辊编号，由轧辊岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'CHUSHI_ZHAGUN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'换辊时间，由轧辊岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'CHANGE_TM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧辊的辊面硬度标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'ROLL_HARD_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'国产化标识说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'LOCAL_FLAG_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊实际备件名称', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_DTL', N'COLUMN', N'SHIJI_BEIJIAN'
GO
CREATE TABLE [dbo].[T_ZG_ROLL_HIS] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [JUANQU_BANBEN] INT,
  [ZHAGUN_BANBEN] INT,
  [ROLL_DIA_DESC] VARCHAR(200),
  [INIT_CHANGE_TM] INT,
  [ROLL_TON] INT,
  [ZHAGUN] VARCHAR(64),
  [CHOCK_NO] DECIMAL(12,3),
  [GRIND_QTY_SRC] VARCHAR(32),
  [ROLL_HARD] FLOAT,
  [AVG_ROLL_TON] DATETIME2,
  [STOCK_NUM] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊历史表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'卷取温度版本，由轧辊岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'JUANQU_BANBEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊编号版本', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'ZHAGUN_BANBEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊辊径说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'ROLL_DIA_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始换辊时间，由轧辊岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'INIT_CHANGE_TM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧制吨位，由轧辊岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'ROLL_TON'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊编号', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'ZHAGUN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轴承座号', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'CHOCK_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'磨削量来源', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'GRIND_QTY_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'辊面硬度，保留两位小数，缺省时按上一条轧辊记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'ROLL_HARD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'库存数量', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_HIS', N'COLUMN', N'STOCK_NUM'
GO
CREATE TABLE [dbo].[T_ZG_ROLL_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [CHANGE_TM] DECIMAL(10,2),
  [PLAN_CHOCK_NO] DATETIME2,
  [ORI_GRIND_QTY] VARCHAR(64),
  [GUNJING] VARCHAR(200),
  [PLAN_ROLL_TON] INT,
  [GRIND_QTY] VARCHAR(64),
  [CHOCK_NO_FLAG] CHAR(1),
  [CHANGE_TM_VER] INT,
  [USE_DEPT] DECIMAL(10,2),
  [LAST_LOCAL_FLAG] VARCHAR(200),
  [MAX_LEAD_DAYS_VER] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊主表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'换辊时间', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'CHANGE_TM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊预定轴承座号', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'PLAN_CHOCK_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始磨削量，由轧辊岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'ORI_GRIND_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊辊径', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'GUNJING'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定轧制吨位', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'PLAN_ROLL_TON'
GO
EXEC sp_addextendedproperty N'MS_Description', N'磨削量，保留两位小数，缺省时按上一条轧辊记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'GRIND_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧辊的轴承座号标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'CHOCK_NO_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本轧辊的换辊时间版本', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'CHANGE_TM_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊领用部门', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'USE_DEPT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次国产化标识，保留两位小数，缺省时按上一条轧辊记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'LAST_LOCAL_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轧辊最高采购周期版本', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_ROLL_MAIN', N'COLUMN', N'MAX_LEAD_DAYS_VER'
GO
CREATE TABLE [dbo].[T_ZG_SCHED_DTL] (
  [ID] BIGINT,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REAL_FEED_DATE] FLOAT,
  [INIT_PLAN_SEQ_FLAG] CHAR(1),
  [planQtyDesc] VARCHAR(200),
  [PLAN_QTY] FLOAT,
  [MERGE_RULE_SRC] VARCHAR(32),
  [ROLLING_DAYS_TYPE] VARCHAR(16),
  [排产顺序] VARCHAR(200),
  [BOTTLENECK] DATETIME2,
  [CHUSHI_JIHUA] INT,
  [INIT_ROLLING_DAYS] DECIMAL(10,2),
  [FEED_DATE] DATETIME2,
  [ROLLING_DAYS] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际投料日期', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'REAL_FEED_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程初始排产顺序标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'INIT_PLAN_SEQ_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程计划产量说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'planQtyDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'计划产量', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'PLAN_QTY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'滚动周期类别，保留两位小数，缺省时按上一条排程记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'ROLLING_DAYS_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程排产顺序', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'排产顺序'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本排程的瓶颈工序', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'BOTTLENECK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始计划号', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'CHUSHI_JIHUA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始滚动周期', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'INIT_ROLLING_DAYS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'投料日期（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'FEED_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'滚动周期', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SCHED_DTL', N'COLUMN', N'ROLLING_DAYS'
GO
CREATE TABLE [dbo].[T_ZG_SHAPE_DTL] (
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [PLAN_COOL_ZONE] FLOAT,
  [PLAN_WEDGE_VAL_DESC] VARCHAR(200),
  [CUR_SHIFT_POS] INT,
  [MAX_COOL_ZONE_VER] INT,
  [curBendForce] VARCHAR(200),
  [CHUSHI_TUDU_LEIBIE] VARCHAR(16),
  [实际边部减薄单位] VARCHAR(8),
  [TUDU] VARCHAR(200),
  [EDGE_DROP] INT,
  [SHIFT_POS_FLAG] CHAR(1),
  [PLAN_EDGE_DROP] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'板形明细表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'板形预定冷却分段', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'PLAN_COOL_ZONE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定楔形说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'PLAN_WEDGE_VAL_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前窜辊量，由板形岗录入', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'CUR_SHIFT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本板形的最高冷却分段版本', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'MAX_COOL_ZONE_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'板形当前弯辊力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'curBendForce'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'CHUSHI_TUDU_LEIBIE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'板形凸度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'TUDU'
GO
EXEC sp_addextendedproperty N'MS_Description', N'板形边部减薄', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'EDGE_DROP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'窜辊量标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'SHIFT_POS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定边部减薄', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_DTL', N'COLUMN', N'PLAN_EDGE_DROP'
GO
CREATE TABLE [dbo].[T_ZG_SHAPE_MAIN] (
  [ID] BIGINT,
  [DAOCI] VARCHAR(64),
  [CUR_TENSION_SET] DECIMAL(10,2),
  [JUANQU] INT,
  [BEND_FORCE_DESC] VARCHAR(200),
  [REAL_FLATNESS] INT,
  [BEND_FORCE_TYPE] VARCHAR(16),
  [REAL_WEDGE_VAL] DECIMAL(12,3),
  [TUDU_BIAOJI] CHAR(1),
  [SHIFT_POS] INT,
  [AVG_EDGE_DROP] FLOAT,
  [planBendForce] INT,
  [PLAN_BEND_FORCE] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'板形主表', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'道次，保留两位小数，缺省时按上一条板形记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'DAOCI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'板形当前张力设定', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'CUR_TENSION_SET'
GO
EXEC sp_addextendedproperty N'MS_Description', N'卷取温度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'JUANQU'
GO
EXEC sp_addextendedproperty N'MS_Description', N'弯辊力说明', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'BEND_FORCE_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际平直度', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'REAL_FLATNESS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'板形弯辊力类别', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'BEND_FORCE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际楔形', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'REAL_WEDGE_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'凸度标记', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'TUDU_BIAOJI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均边部减薄，保留两位小数，缺省时按上一条板形记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'AVG_EDGE_DROP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定弯辊力', N'SCHEMA', N'dbo', N'TABLE', N'T_ZG_SHAPE_MAIN', N'COLUMN', N'PLAN_BEND_FORCE'
GO
USE [QUALITY_DB]
GO
CREATE TABLE [dbo].[QC_CHEM_DAY] (
  [CREATE_TIME] DATETIME2,
  [REMARK] VARCHAR(500),
  [SOFT_BLOW_SRC] VARCHAR(32),
  [NK_SI_AIM_TYPE] VARCHAR(16),
  [NK_ALLOY_MIX] INT,
  [C_PCT] DECIMAL(12,3),
  [REAL_ALLOY_MIX_VER] INT,
  [RESIDUAL] VARCHAR(64),
  [LAST_MN_PCT] DATETIME2,
  [ladleAna] DECIMAL(10,2),
  [LAST_ALLOY_MIX] DECIMAL(12,3),
  [NK_ALLOY_MIX_TYPE] VARCHAR(16),
  [REAL_STEEL_GRADE] INT,
  [NK_MN_PCT] INT,
  [INIT_RESIDUAL] INT,
  [CHEM_MAX] DATETIME2,
  [NK_LADLE_ANA] DECIMAL(12,3),
  [YIELD_STR] VARCHAR(200),
  [ELONG_PCT] FLOAT,
  [CUR_ELONG_PCT] VARCHAR(200),
  [CUR_HARD_VAL] FLOAT,
  [INIT_SAMPLE_NO] DECIMAL(12,3),
  [CUT_POS_SRC] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分日报表', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分软吹时间来源', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'SOFT_BLOW_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控目标硅类别（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'NK_SI_AIM_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控合金配比', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'NK_ALLOY_MIX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分碳含量', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'C_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际合金配比版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'REAL_ALLOY_MIX_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'残余元素', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'RESIDUAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分上次锰含量', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'LAST_MN_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次合金配比', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'LAST_ALLOY_MIX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控合金配比类别', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'NK_ALLOY_MIX_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分实际钢种牌号', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'REAL_STEEL_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分内控锰含量', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'NK_MN_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分初始残余元素', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'INIT_RESIDUAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分上限', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'CHEM_MAX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分内控熔炼分析', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'NK_LADLE_ANA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'屈服强度', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'YIELD_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分伸长率', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'ELONG_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前伸长率', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'CUR_ELONG_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前硬度值', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'CUR_HARD_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始试样号', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'INIT_SAMPLE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'取样位置来源，由成分岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DAY', N'COLUMN', N'CUT_POS_SRC'
GO
CREATE TABLE [dbo].[QC_CHEM_DTL] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [NK_C_PCT] VARCHAR(200),
  [LADLE_ANA] DECIMAL(12,3),
  [C_PCT] DECIMAL(10,2),
  [NK_SI_AIM] DECIMAL(10,2),
  [NK_LADLE_ANA_VER] INT,
  [nkResidual] VARCHAR(200),
  [CHEM_MAX] FLOAT,
  [nkLadleAna] VARCHAR(64),
  [residualVer] INT,
  [C_PCT_SRC] VARCHAR(32),
  [平均合金配比标记] CHAR(1),
  [INIT_TENSILE_FLAG] CHAR(1),
  [IMPACT_J_DESC] VARCHAR(200),
  [initElongPct] INT,
  [ELONG_PCT] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分明细表', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控碳含量', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'NK_C_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'熔炼分析（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'LADLE_ANA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分碳含量', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'C_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控目标硅', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'NK_SI_AIM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控熔炼分析版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'NK_LADLE_ANA_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控残余元素', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'nkResidual'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本成分的成分上限', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'CHEM_MAX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控熔炼分析', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'nkLadleAna'
GO
EXEC sp_addextendedproperty N'MS_Description', N'残余元素版本，由成分岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'residualVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'碳含量来源', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'C_PCT_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分平均合金配比标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'平均合金配比标记'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分初始抗拉强度标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'INIT_TENSILE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'冲击功说明', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'IMPACT_J_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'initElongPct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分伸长率', N'SCHEMA', N'dbo', N'TABLE', N'QC_CHEM_DTL', N'COLUMN', N'ELONG_PCT'
GO
CREATE TABLE [dbo].[QC_DEFECT_HIS] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [AVG_ROLL_FORCE] DATETIME2,
  [FINISH_T] VARCHAR(200),
  [DEFECT_POS] FLOAT,
  [LAST_SCAB_AREA] VARCHAR(64),
  [IMG_PATH] DECIMAL(10,2),
  [SCRATCH_DEP_VER] INT,
  [CRACK_LEN] DECIMAL(12,3),
  [INIT_DEFECT_POS] INT,
  [IMG_PATH_DESC] VARCHAR(200),
  [SCAB_AREA_SRC] VARCHAR(32),
  [CAMERA_NO_TYPE] VARCHAR(16),
  [ZY_HOLD_CD] VARCHAR(64),
  [CLAIM_NO] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷历史表', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均轧制力，由缺陷岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'AVG_ROLL_FORCE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'终轧温度', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'FINISH_T'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷位置', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'DEFECT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次结疤面积，由缺陷岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'LAST_SCAB_AREA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'图像路径', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'IMG_PATH'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本缺陷的划伤深度版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'SCRATCH_DEP_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷裂纹长度', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'CRACK_LEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷初始缺陷位置', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'INIT_DEFECT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本缺陷的图像路径说明', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'IMG_PATH_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'结疤面积来源', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'SCAB_AREA_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'相机编号类别', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'CAMERA_NO_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议封锁代码，保留两位小数，缺省时按上一条缺陷记录取', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'ZY_HOLD_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'异议编号，保留两位小数，缺省时按上一条缺陷记录取', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_HIS', N'COLUMN', N'CLAIM_NO'
GO
CREATE TABLE [dbo].[QC_DEFECT_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [planCrackLen] DATETIME2,
  [IMG_PATH] DATETIME2,
  [AVG_CAMERA_NO_UNIT] VARCHAR(8),
  [REAL_SCAB_AREA] INT,
  [REAL_SCRATCH_DEP_UNIT] VARCHAR(8),
  [PLAN_IMG_PATH] DECIMAL(10,2),
  [DEFECT_POS_VER] INT,
  [REAL_DEFECT_TYPE_DESC] VARCHAR(200),
  [SCRATCH_DEP_VER] INT,
  [HOLD_CD_SRC] VARCHAR(32),
  [ZY_REJUDGE_TXT] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷主表', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷图像路径', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'IMG_PATH'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均相机编号单位', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'AVG_CAMERA_NO_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际划伤深度单位', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'REAL_SCRATCH_DEP_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定图像路径', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'PLAN_IMG_PATH'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷缺陷位置版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'DEFECT_POS_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷划伤深度版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'SCRATCH_DEP_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'封锁代码来源', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'HOLD_CD_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议改判原因', N'SCHEMA', N'dbo', N'TABLE', N'QC_DEFECT_MAIN', N'COLUMN', N'ZY_REJUDGE_TXT'
GO
CREATE TABLE [dbo].[QC_DICT_DTL] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [DICT_LABEL_VER] INT,
  [LAST_CODE_SET] DATETIME2,
  [STOP_FLAG] INT,
  [DICT_VALUE] VARCHAR(64),
  [DICT_TYPE] VARCHAR(64),
  [LAST_DICT_VALUE] VARCHAR(200),
  [CUR_STOP_FLAG] FLOAT,
  [PLAN_SORT_NUM] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典明细表', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典标签版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'DICT_LABEL_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典上次代码集', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'LAST_CODE_SET'
GO
EXEC sp_addextendedproperty N'MS_Description', N'停用标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'STOP_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典键值', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'DICT_VALUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典字典类型', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'DICT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本字典的上次字典键值', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'LAST_DICT_VALUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前停用标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'CUR_STOP_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定显示顺序（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'QC_DICT_DTL', N'COLUMN', N'PLAN_SORT_NUM'
GO
CREATE TABLE [dbo].[QC_JUDGE_DTL] (
  [CREATE_TIME] DATETIME2,
  [REMARK] VARCHAR(500),
  [ELONG_PCT] DECIMAL(12,3),
  [DEFECT_POS] INT,
  [SCRATCH_DEP_TYPE] VARCHAR(16),
  [MAX_SCAB_AREA] DECIMAL(12,3),
  [ORI_DEFECT_TYPE_UNIT] VARCHAR(8),
  [REAL_PASS_FLAG_UNIT] VARCHAR(8),
  [AVG_PASS_FLAG] DECIMAL(10,2),
  [ZY_PASS_FLAG] INT,
  [REJUDGE_TXT_FLAG] CHAR(1),
  [ZY_REJUDGE_TXT] INT,
  [PASS_FLAG] DATETIME2,
  [HOLD_CD] VARCHAR(200),
  [REAL_JUDGE_RESULT] INT,
  [CUR_CLAIM_NO_SRC] VARCHAR(32),
  [降级品重量类别] VARCHAR(16),
  [DEGRADE_WT] DECIMAL(10,2),
  [降级品重量] DECIMAL(12,3),
  [CONCESSION] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定伸长率', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'ELONG_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷位置', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'DEFECT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始缺陷类型单位', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'ORI_DEFECT_TYPE_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均放行标志', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'AVG_PASS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议放行标志', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'ZY_PASS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'改判原因标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'REJUDGE_TXT_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议改判原因', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'ZY_REJUDGE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'放行标志', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'PASS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'封锁代码，由判定岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'HOLD_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际判定结果', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'REAL_JUDGE_RESULT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本判定的当前异议编号来源', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'CUR_CLAIM_NO_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定降级品重量类别', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'降级品重量类别'
GO
EXEC sp_addextendedproperty N'MS_Description', N'降级品重量（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_DTL', N'COLUMN', N'DEGRADE_WT'
GO
CREATE TABLE [dbo].[QC_JUDGE_HIS] (
  [CREATE_TIME] DATETIME2,
  [IMPACT_J] DATETIME2,
  [SCRATCH_DEP] FLOAT,
  [CONCESSION_VER] INT,
  [REJUDGE_TXT_VER] INT,
  [CLAIM_NO_FLAG] CHAR(1),
  [ZY_JUDGE_RESULT_TYPE] VARCHAR(16),
  [ZY_CLAIM_NO] DECIMAL(12,3),
  [REJUDGE_TXT] VARCHAR(64),
  [JUDGE_RESULT_TYPE] VARCHAR(16),
  [争议封锁代码单位] VARCHAR(8),
  [QUAL_GRADE_SRC] VARCHAR(32),
  [degradeWt] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定历史表', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定冲击功', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'IMPACT_J'
GO
EXEC sp_addextendedproperty N'MS_Description', N'划伤深度', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'SCRATCH_DEP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'让步接收版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'CONCESSION_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'改判原因版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'REJUDGE_TXT_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定异议编号标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'CLAIM_NO_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定争议判定结果类别', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'ZY_JUDGE_RESULT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议异议编号', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'ZY_CLAIM_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'改判原因', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'REJUDGE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定结果类别', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'JUDGE_RESULT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议封锁代码单位', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'争议封锁代码单位'
GO
EXEC sp_addextendedproperty N'MS_Description', N'降级品重量', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_HIS', N'COLUMN', N'degradeWt'
GO
CREATE TABLE [dbo].[QC_JUDGE_MAIN] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [YIELD_STR] DECIMAL(10,2),
  [REAL_IMPACT_J_DESC] VARCHAR(200),
  [SAMPLE_NO] INT,
  [CUR_SCAB_AREA] FLOAT,
  [SCALE_GRADE] FLOAT,
  [DEFECT_POS] VARCHAR(64),
  [AVG_PASS_FLAG] FLOAT,
  [CONCESSION_TYPE] VARCHAR(16),
  [ORI_DEGRADE_WT_DESC] VARCHAR(200),
  [ORI_REJUDGE_TXT] DECIMAL(10,2),
  [CUR_CONCESSION] INT,
  [DEGRADE_WT] INT,
  [REJUDGE_TXT] DATETIME2,
  [ZY_QUAL_GRADE] VARCHAR(64),
  [ZY_PASS_FLAG] DATETIME2,
  [QUAL_GRADE_FLAG] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定主表', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'屈服强度', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'YIELD_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际冲击功说明', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'REAL_IMPACT_J_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定试样号', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'SAMPLE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前结疤面积', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'CUR_SCAB_AREA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'氧化铁皮（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'SCALE_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缺陷位置', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'DEFECT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均放行标志', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'AVG_PASS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始改判原因', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'ORI_REJUDGE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'判定当前让步接收', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'CUR_CONCESSION'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本判定的降级品重量', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'DEGRADE_WT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'改判原因，保留两位小数，缺省时按上一条判定记录取', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'REJUDGE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议质量等级，由判定岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'ZY_QUAL_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议放行标志', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'ZY_PASS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'质量等级标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_JUDGE_MAIN', N'COLUMN', N'QUAL_GRADE_FLAG'
GO
CREATE TABLE [dbo].[QC_PROD_DTL] (
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [REAL_ALLOY_MIX] VARCHAR(64),
  [SALES_MAN] DECIMAL(12,3),
  [RECOM_GRADE] VARCHAR(200),
  [PROD_CLASS_SRC] VARCHAR(32),
  [REAL_PROD_SPEC] DECIMAL(10,2),
  [prodClass] DATETIME2,
  [PROD_NAME] DECIMAL(10,2),
  [执行标准说明] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品明细表', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际合金配比', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL', N'COLUMN', N'REAL_ALLOY_MIX'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本产品的业务员', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL', N'COLUMN', N'SALES_MAN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'推荐牌号', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL', N'COLUMN', N'RECOM_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品大类来源', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL', N'COLUMN', N'PROD_CLASS_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本产品的实际产品规格', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL', N'COLUMN', N'REAL_PROD_SPEC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品大类', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL', N'COLUMN', N'prodClass'
GO
EXEC sp_addextendedproperty N'MS_Description', N'执行标准说明', N'SCHEMA', N'dbo', N'TABLE', N'QC_PROD_DTL', N'COLUMN', N'执行标准说明'
GO
CREATE TABLE [dbo].[QC_RULE_DTL] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [DEPT_CD] FLOAT,
  [REAL_DOC_NO] FLOAT,
  [EFFECT_DATE] DECIMAL(10,2),
  [ABOLISH_DATE] DECIMAL(12,3),
  [ABOLISH_DATE_FLAG] CHAR(1),
  [REAL_RULE_NAME] INT,
  [CLAUSE_TXT] INT,
  [预定起草部门] FLOAT,
  [DRAFT_DEPT] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'制度明细表', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'部门代码（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'DEPT_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'制度实际发文字号', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'REAL_DOC_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'废止日期', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'ABOLISH_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'废止日期标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'ABOLISH_DATE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际制度名称', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'REAL_RULE_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'条款内容，保留两位小数，缺省时按上一条制度记录取', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'CLAUSE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定起草部门', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'预定起草部门'
GO
EXEC sp_addextendedproperty N'MS_Description', N'起草部门', N'SCHEMA', N'dbo', N'TABLE', N'QC_RULE_DTL', N'COLUMN', N'DRAFT_DEPT'
GO
CREATE TABLE [dbo].[QC_TEST_DAY] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [CHEM_MAX] FLOAT,
  [YIELD_STR] INT,
  [IMPACT_J_VER] INT,
  [IMPACT_J] INT,
  [SAMPLE_NO_TYPE] VARCHAR(16),
  [SAMPLE_NO] FLOAT,
  [MAX_CUT_POS] DATETIME2,
  [ELONG_PCT] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验日报表', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'屈服强度', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY', N'COLUMN', N'YIELD_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本试验的冲击功版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY', N'COLUMN', N'IMPACT_J_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验冲击功', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY', N'COLUMN', N'IMPACT_J'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试样号类别', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY', N'COLUMN', N'SAMPLE_NO_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高取样位置（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY', N'COLUMN', N'MAX_CUT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本试验的伸长率', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DAY', N'COLUMN', N'ELONG_PCT'
GO
CREATE TABLE [dbo].[QC_TEST_DTL] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [REMARK] VARCHAR(500),
  [TENSILE_SRC] VARCHAR(32),
  [METALLO] VARCHAR(64),
  [curSampleNoSrc] VARCHAR(32),
  [LAST_HARD_VAL_UNIT] VARCHAR(8),
  [SAMPLE_NO] VARCHAR(200),
  [CUT_POS] VARCHAR(64),
  [tensileVer] INT,
  [REAL_YIELD_STR] INT,
  [HARD_VAL] DECIMAL(10,2),
  [AVG_ELONG_PCT] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验明细表', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'抗拉强度来源，保留两位小数，缺省时按上一条试验记录取', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'TENSILE_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验金相组织', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'METALLO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本试验的当前试样号来源', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'curSampleNoSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次硬度值单位，由试验岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'LAST_HARD_VAL_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验试样号', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'SAMPLE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'取样位置', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'CUT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验抗拉强度版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'tensileVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际屈服强度，保留两位小数，缺省时按上一条试验记录取', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'REAL_YIELD_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本试验的硬度值', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'HARD_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均伸长率', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_DTL', N'COLUMN', N'AVG_ELONG_PCT'
GO
CREATE TABLE [dbo].[QC_TEST_HIS] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [YIELD_STR_VER] INT,
  [CUT_POS_FLAG] CHAR(1),
  [YIELD_STR] FLOAT,
  [yieldStr] DECIMAL(12,3),
  [SAMPLE_NO] VARCHAR(64),
  [ELONG_PCT_DESC] VARCHAR(200),
  [HARD_VAL] DECIMAL(10,2),
  [CUR_HARD_VAL] DECIMAL(12,3),
  [SAMPLE_NO_TYPE] VARCHAR(16),
  [AVG_YIELD_STR] VARCHAR(200),
  [CUT_POS] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验屈服强度版本', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'YIELD_STR_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'取样位置标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'CUT_POS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'屈服强度', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'YIELD_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验屈服强度', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'yieldStr'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验试样号', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'SAMPLE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'伸长率说明，由试验岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'ELONG_PCT_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验硬度值', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'HARD_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前硬度值', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'CUR_HARD_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试样号类别', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'SAMPLE_NO_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均屈服强度', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'AVG_YIELD_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'取样位置', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_HIS', N'COLUMN', N'CUT_POS'
GO
CREATE TABLE [dbo].[QC_TEST_MAIN] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [平均锰含量类别] VARCHAR(16),
  [PLAN_METALLO_VER] INT,
  [SAMPLE_NO_FLAG] CHAR(1),
  [REAL_HARD_VAL] DECIMAL(12,3),
  [HARD_VAL] DATETIME2,
  [PLAN_CUT_POS_VER] INT,
  [ORI_YIELD_STR] DECIMAL(12,3),
  [屈服强度] DECIMAL(12,3),
  [AVG_CUT_POS_FLAG] CHAR(1),
  [最高取样位置] INT,
  [ZY_CLAIM_NO] VARCHAR(200),
  [DEGRADE_WT_TYPE] VARCHAR(16),
  [TEST_CLASS] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验主表', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均锰含量类别', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'平均锰含量类别'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试样号标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'SAMPLE_NO_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际硬度值，保留两位小数，缺省时按上一条试验记录取', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'REAL_HARD_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本试验的硬度值', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'HARD_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始屈服强度，由试验岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'ORI_YIELD_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验屈服强度', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'屈服强度'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均取样位置标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'AVG_CUT_POS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高取样位置', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'最高取样位置'
GO
EXEC sp_addextendedproperty N'MS_Description', N'争议异议编号，由试验岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'ZY_CLAIM_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'降级品重量类别，由试验岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'DEGRADE_WT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验归类（B4-1）', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_MAIN', N'COLUMN', N'TEST_CLASS'
GO
CREATE TABLE [dbo].[QC_TEST_REC] (
  [REMARK] VARCHAR(500),
  [C_PCT] INT,
  [SAMPLE_NO] VARCHAR(64),
  [TENSILE] FLOAT,
  [ELONG_PCT_UNIT] VARCHAR(8),
  [initCutPosFlag] CHAR(1),
  [IMPACT_J] VARCHAR(200),
  [INIT_TENSILE_UNIT] VARCHAR(8),
  [CUT_POS] INT,
  [YIELD_STR_UNIT] VARCHAR(8),
  [YIELD_STR] DECIMAL(12,3),
  [METALLO] VARCHAR(64),
  [AVG_ELONG_PCT] VARCHAR(64),
  [METALLO_FLAG] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验记录表', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验碳含量', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'C_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验试样号', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'SAMPLE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'伸长率单位', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'ELONG_PCT_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始取样位置标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'initCutPosFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验冲击功', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'IMPACT_J'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始抗拉强度单位', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'INIT_TENSILE_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试验取样位置', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'CUT_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'屈服强度单位，保留两位小数，缺省时按上一条试验记录取', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'YIELD_STR_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'屈服强度', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'YIELD_STR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'金相组织，由试验岗录入', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'METALLO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均伸长率', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'AVG_ELONG_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本试验的金相组织标记', N'SCHEMA', N'dbo', N'TABLE', N'QC_TEST_REC', N'COLUMN', N'METALLO_FLAG'
GO
CREATE TABLE [dbo].[T_LG_CHEM_MAIN] (
  [CREATE_TIME] DATETIME2,
  [REMARK] VARCHAR(500),
  [ORI_ELECTRODE] DATETIME2,
  [C_PCT] DECIMAL(12,3),
  [INIT_SI_AIM] VARCHAR(200),
  [ladleAna] DECIMAL(10,2),
  [STEEL_GRADE] DECIMAL(12,3),
  [LADLE_ANA] DECIMAL(10,2),
  [SI_AIM_SRC] VARCHAR(32),
  [NK_MN_PCT_UNIT] VARCHAR(8),
  [nkSiAim] DATETIME2,
  [ALLOY_MIX_UNIT] VARCHAR(8),
  [MAX_HARD_VAL] VARCHAR(64)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分主表副本', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本成分的原始电极消耗', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'ORI_ELECTRODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分碳含量', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'C_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始目标硅', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'INIT_SI_AIM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'熔炼分析', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'ladleAna'
GO
EXEC sp_addextendedproperty N'MS_Description', N'钢种牌号', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'STEEL_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'熔炼分析，保留两位小数，缺省时按上一条成分记录取', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'LADLE_ANA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成分目标硅来源', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'SI_AIM_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控锰含量单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'NK_MN_PCT_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本成分的内控目标硅', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'nkSiAim'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合金配比单位', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'ALLOY_MIX_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高硬度值', N'SCHEMA', N'dbo', N'TABLE', N'T_LG_CHEM_MAIN', N'COLUMN', N'MAX_HARD_VAL'
GO
USE [EQUIP_DB]
GO
CREATE TABLE [dbo].[eq_asset_day] (
  [id] BIGINT,
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [use_date_unit] VARCHAR(8),
  [REAL_DRAWING_NO] VARCHAR(200),
  [REAL_EQUIP_MODEL] DECIMAL(12,3),
  [drawing_no] DATETIME2,
  [asset_value] INT,
  [equip_no_type] VARCHAR(16),
  [equip_no_unit] VARCHAR(8),
  [plan_rated_kw] DECIMAL(10,2),
  [asset_value_type] VARCHAR(16),
  [制造厂] DATETIME2,
  [ori_repair_hours_type] VARCHAR(16),
  [real_spare_name] FLOAT,
  [shelf_no_desc] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备日报表', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'投用日期单位（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'use_date_unit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际图纸编号', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'REAL_DRAWING_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际设备型号', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'REAL_EQUIP_MODEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'图纸编号', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'drawing_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备原值', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'asset_value'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备编号类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'equip_no_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备编号单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'equip_no_unit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定额定功率', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'plan_rated_kw'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原值类别，保留两位小数，缺省时按上一条设备记录取', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'asset_value_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备制造厂', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'制造厂'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本设备的原始检修工时类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'ori_repair_hours_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际备件名称', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'real_spare_name'
GO
EXEC sp_addextendedproperty N'MS_Description', N'货架号说明', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_day', N'COLUMN', N'shelf_no_desc'
GO
CREATE TABLE [dbo].[eq_asset_dtl] (
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [原值] INT,
  [EQUIP_NO_FLAG] CHAR(1),
  [real_asset_value] VARCHAR(64),
  [avg_install_pos] INT,
  [equip_no] DATETIME2,
  [use_date] DECIMAL(12,3),
  [plan_install_pos] VARCHAR(64),
  [fault_txt_type] VARCHAR(16)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备明细表', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_dtl', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备原值', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_dtl', N'COLUMN', N'原值'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备编号标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_dtl', N'COLUMN', N'EQUIP_NO_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均安装位置', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_dtl', N'COLUMN', N'avg_install_pos'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备编号，保留两位小数，缺省时按上一条设备记录取', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_dtl', N'COLUMN', N'equip_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备投用日期', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_dtl', N'COLUMN', N'use_date'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定安装位置，由设备岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_dtl', N'COLUMN', N'plan_install_pos'
GO
EXEC sp_addextendedproperty N'MS_Description', N'故障现象类别，由设备岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_dtl', N'COLUMN', N'fault_txt_type'
GO
CREATE TABLE [dbo].[eq_asset_his] (
  [id] BIGINT,
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [use_date] DECIMAL(10,2),
  [ASSET_VALUE] INT,
  [equip_model] DECIMAL(12,3),
  [cur_rated_kw] DECIMAL(10,2),
  [plan_drawing_no] DECIMAL(12,3),
  [max_asset_value] DECIMAL(10,2),
  [drawing_no] INT,
  [maker] DECIMAL(10,2),
  [real_equip_no_flag] CHAR(1),
  [install_pos_ver] INT,
  [RATED_KW] FLOAT,
  [entrust_org] DECIMAL(12,3),
  [down_min] INT,
  [trial_result_flag] CHAR(1),
  [life_hours_unit] VARCHAR(8)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备历史表', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备原值', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'ASSET_VALUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备设备型号', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'equip_model'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前额定功率', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'cur_rated_kw'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定图纸编号', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'plan_drawing_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高原值，保留两位小数，缺省时按上一条设备记录取', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'max_asset_value'
GO
EXEC sp_addextendedproperty N'MS_Description', N'图纸编号，保留两位小数，缺省时按上一条设备记录取', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'drawing_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际设备编号标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'real_equip_no_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'安装位置版本', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'install_pos_ver'
GO
EXEC sp_addextendedproperty N'MS_Description', N'额定功率', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'RATED_KW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本设备的委托单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'entrust_org'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本设备的停机时长', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'down_min'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试车结果标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'trial_result_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更换寿命单位（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_his', N'COLUMN', N'life_hours_unit'
GO
CREATE TABLE [dbo].[eq_asset_main] (
  [id] BIGINT,
  [create_time] DATETIME2,
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [equip_model_type] VARCHAR(16),
  [plan_asset_value] VARCHAR(64),
  [EQUIP_MODEL] VARCHAR(64),
  [equip_no] FLOAT,
  [实际制造厂] INT,
  [rated_kw_type] VARCHAR(16),
  [use_date] INT,
  [use_date_src] VARCHAR(32),
  [上次原值] VARCHAR(64),
  [ori_asset_value] INT,
  [设备型号] DECIMAL(12,3),
  [equip_no_flag] CHAR(1),
  [trialResult] DECIMAL(10,2),
  [entrust_org] DECIMAL(12,3),
  [trial_result] INT,
  [ID_CARD_PRINTER_NO] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备主表', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备型号类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'equip_model_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定原值，保留两位小数，缺省时按上一条设备记录取', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'plan_asset_value'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备设备型号', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'EQUIP_MODEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备编号，由设备岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'equip_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际制造厂（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'实际制造厂'
GO
EXEC sp_addextendedproperty N'MS_Description', N'额定功率类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'rated_kw_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'投用日期', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'use_date'
GO
EXEC sp_addextendedproperty N'MS_Description', N'投用日期来源', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'use_date_src'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本设备的上次原值', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'上次原值'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始原值', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'ori_asset_value'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备型号', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'设备型号'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备编号标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'equip_no_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试车结果', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'trialResult'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本设备的委托单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'entrust_org'
GO
EXEC sp_addextendedproperty N'MS_Description', N'门禁证件打印设备的编号', N'SCHEMA', N'dbo', N'TABLE', N'eq_asset_main', N'COLUMN', N'ID_CARD_PRINTER_NO'
GO
CREATE TABLE [dbo].[eq_hazard_dtl] (
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [check_area_src] VARCHAR(32),
  [avg_site_photo] VARCHAR(200),
  [check_conc] DATETIME2,
  [checker] INT,
  [accidTxt] INT,
  [ori_hazard_grade] DATETIME2,
  [blame_txt_type] VARCHAR(16),
  [ori_blame_txt] VARCHAR(200),
  [hazard_grade] DATETIME2,
  [casualty] VARCHAR(200),
  [accid_txt] DECIMAL(10,2),
  [blame_txt] VARCHAR(200),
  [ACCID_TXT_SRC] VARCHAR(32),
  [ori_repair_no] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'隐患明细表', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检查区域来源', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'check_area_src'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'avg_site_photo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检查结论', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'check_conc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'隐患检查人员', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'checker'
GO
EXEC sp_addextendedproperty N'MS_Description', N'事故经过', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'accidTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始隐患等级，由隐患岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'ori_hazard_grade'
GO
EXEC sp_addextendedproperty N'MS_Description', N'责任追究类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'blame_txt_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始责任追究', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'ori_blame_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'隐患隐患等级', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'hazard_grade'
GO
EXEC sp_addextendedproperty N'MS_Description', N'伤亡人数', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'casualty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'事故经过，由隐患岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'accid_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本隐患的责任追究', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'blame_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始维修工单', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_dtl', N'COLUMN', N'ori_repair_no'
GO
CREATE TABLE [dbo].[eq_hazard_main] (
  [id] BIGINT,
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [init_checker] VARCHAR(200),
  [ori_prevent_txt] VARCHAR(64),
  [real_accid_txt] DATETIME2,
  [blame_txt] INT,
  [accid_txt_type] VARCHAR(16),
  [ori_accid_txt] DECIMAL(12,3),
  [max_accid_txt] DECIMAL(12,3),
  [max_direct_loss] VARCHAR(64),
  [direct_loss] DECIMAL(10,2),
  [max_report_tm_src] VARCHAR(32),
  [init_hazard_grade] FLOAT,
  [plan_down_min] DECIMAL(12,3),
  [last_down_min_ver] INT,
  [avg_insp_item] DATETIME2,
  [last_lube_cycle] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'隐患主表', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本隐患的初始检查人员', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'init_checker'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始防范措施', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'ori_prevent_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'隐患实际事故经过', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'real_accid_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'责任追究', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'blame_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始事故经过，由隐患岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'ori_accid_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高事故经过', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'max_accid_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高直接损失，由隐患岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'max_direct_loss'
GO
EXEC sp_addextendedproperty N'MS_Description', N'隐患直接损失', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'direct_loss'
GO
EXEC sp_addextendedproperty N'MS_Description', N'隐患最高上报时间来源', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'max_report_tm_src'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始隐患等级', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'init_hazard_grade'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定停机时长', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'plan_down_min'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次停机时长版本', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'last_down_min_ver'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均点检项目，由隐患岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'avg_insp_item'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次润滑周期，由隐患岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_hazard_main', N'COLUMN', N'last_lube_cycle'
GO
CREATE TABLE [dbo].[eq_org_his] (
  [update_user] VARCHAR(32),
  [remark] VARCHAR(500),
  [last_rank_cd] DECIMAL(12,3),
  [postSeries] INT,
  [org_level_desc] VARCHAR(200),
  [parentDept] DECIMAL(10,2),
  [parent_dept] VARCHAR(200),
  [org_name] VARCHAR(200),
  [plan_org_name_flag] CHAR(1),
  [avg_leader_unit] VARCHAR(8),
  [real_org_tel] FLOAT,
  [avg_found_date] FLOAT,
  [ori_org_name_flag] CHAR(1),
  [real_leader_flag] CHAR(1),
  [ref_std] FLOAT,
  [dict_label] VARCHAR(64)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构历史表', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构上次职级', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'last_rank_cd'
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位序列（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'postSeries'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构机构层级说明', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'org_level_desc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上级部门', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'parentDept'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上级部门', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'parent_dept'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构名称', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'org_name'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定机构名称标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'plan_org_name_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本机构的平均负责人单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'avg_leader_unit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构实际联系电话', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'real_org_tel'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均成立日期', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'avg_found_date'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本机构的原始机构名称标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'ori_org_name_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际负责人标记，由机构岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'real_leader_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典标签', N'SCHEMA', N'dbo', N'TABLE', N'eq_org_his', N'COLUMN', N'dict_label'
GO
CREATE TABLE [dbo].[eq_repair_day] (
  [update_user] VARCHAR(32),
  [entrust_org] INT,
  [TRIAL_RESULT] DECIMAL(10,2),
  [real_repair_hours] DECIMAL(12,3),
  [LUBE_CYCLE_TYPE] VARCHAR(16),
  [repair_hours] DECIMAL(10,2),
  [ENTRUST_ORG_FLAG] CHAR(1),
  [real_insp_item] DATETIME2,
  [LAST_ENTRUST_ORG] DECIMAL(10,2),
  [repair_no_type] VARCHAR(16),
  [plan_down_min] DECIMAL(10,2),
  [disp_amp_flag] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修日报表', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'委托单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'entrust_org'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修试车结果', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'TRIAL_RESULT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际检修工时，由检修岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'real_repair_hours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'润滑周期类别，由检修岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'LUBE_CYCLE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'委托单位标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'ENTRUST_ORG_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修实际点检项目', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'real_insp_item'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次委托单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'LAST_ENTRUST_ORG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'维修工单类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'repair_no_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本检修的预定停机时长', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'plan_down_min'
GO
EXEC sp_addextendedproperty N'MS_Description', N'位移幅值标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_day', N'COLUMN', N'disp_amp_flag'
GO
CREATE TABLE [dbo].[eq_repair_dtl] (
  [status] CHAR(1),
  [init_equip_no_type] VARCHAR(16),
  [repair_no] INT,
  [entrust_org] DECIMAL(12,3),
  [cur_lube_cycle] VARCHAR(64),
  [检修工时] FLOAT,
  [repair_hours_src] VARCHAR(32),
  [init_repair_hours_ver] INT,
  [insp_item] DATETIME2
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修明细表', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_dtl', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始设备编号类别（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_dtl', N'COLUMN', N'init_equip_no_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'委托单位，由检修岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_dtl', N'COLUMN', N'entrust_org'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修当前润滑周期', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_dtl', N'COLUMN', N'cur_lube_cycle'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本检修的检修工时', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_dtl', N'COLUMN', N'检修工时'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修检修工时来源', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_dtl', N'COLUMN', N'repair_hours_src'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修初始检修工时版本', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_dtl', N'COLUMN', N'init_repair_hours_ver'
GO
EXEC sp_addextendedproperty N'MS_Description', N'点检项目', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_dtl', N'COLUMN', N'insp_item'
GO
CREATE TABLE [dbo].[eq_repair_his] (
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [install_pos] VARCHAR(64),
  [down_min_flag] CHAR(1),
  [repair_hours] VARCHAR(200),
  [fault_txt] DECIMAL(12,3),
  [insp_item_type] VARCHAR(16),
  [init_trial_result] VARCHAR(64),
  [cur_insp_item] INT,
  [lube_cycle] VARCHAR(200),
  [cur_repair_hours] FLOAT,
  [cur_insp_item_flag] CHAR(1),
  [peakVal] VARCHAR(64)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修历史表', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'安装位置', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'install_pos'
GO
EXEC sp_addextendedproperty N'MS_Description', N'停机时长标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'down_min_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修工时，由检修岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'repair_hours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'故障现象', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'fault_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'点检项目类别，保留两位小数，缺省时按上一条检修记录取', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'insp_item_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始试车结果', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'init_trial_result'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前点检项目', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'cur_insp_item'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本检修的当前检修工时', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'cur_repair_hours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前点检项目标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'cur_insp_item_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修频谱峰值', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_his', N'COLUMN', N'peakVal'
GO
CREATE TABLE [dbo].[eq_repair_main] (
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [equip_no] INT,
  [asset_value] VARCHAR(64),
  [LAST_LUBE_CYCLE] VARCHAR(64),
  [repair_hours] FLOAT,
  [INSP_ITEM] VARCHAR(64),
  [fault_txt] DATETIME2,
  [lube_cycle_src] VARCHAR(32),
  [MAX_FAULT_TXT] FLOAT,
  [PLAN_DOWN_MIN] DECIMAL(10,2),
  [检修工时] VARCHAR(64),
  [curAlarmLimit] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修主表', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备编号', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'equip_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。检修记录的补充说明。', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'asset_value'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本检修的上次润滑周期', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'LAST_LUBE_CYCLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修工时', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'repair_hours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'点检项目', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'INSP_ITEM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'故障现象', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'fault_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本检修的润滑周期来源', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'lube_cycle_src'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本检修的最高故障现象', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'MAX_FAULT_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定停机时长', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'PLAN_DOWN_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修工时（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'检修工时'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前报警阈值', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_main', N'COLUMN', N'curAlarmLimit'
GO
CREATE TABLE [dbo].[eq_repair_rec] (
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [insp_item] FLOAT,
  [trial_result] INT,
  [repairHours] FLOAT,
  [max_repair_hours] INT,
  [PLAN_REPAIR_NO_VER] INT,
  [down_min] VARCHAR(64),
  [fault_txt] DATETIME2,
  [entrust_org] FLOAT,
  [init_disp_amp] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修记录表', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修点检项目', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'insp_item'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试车结果', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'trial_result'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修检修工时', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'repairHours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高检修工时', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'max_repair_hours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定维修工单版本', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'PLAN_REPAIR_NO_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'停机时长', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'down_min'
GO
EXEC sp_addextendedproperty N'MS_Description', N'故障现象', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'fault_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'委托单位（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'entrust_org'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修初始位移幅值', N'SCHEMA', N'dbo', N'TABLE', N'eq_repair_rec', N'COLUMN', N'init_disp_amp'
GO
CREATE TABLE [dbo].[eq_safe_dtl] (
  [id] BIGINT,
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [remark] VARCHAR(500),
  [sos_contact] DECIMAL(12,3),
  [permit_no] INT,
  [check_area_desc] VARCHAR(200),
  [MAX_SITE_PHOTO] DATETIME2,
  [LAST_SITE_PHOTO] DECIMAL(10,2),
  [deduct_unit] VARCHAR(8),
  [checkItem] DECIMAL(12,3),
  [initCheckArea] INT,
  [rectify_due] DATETIME2,
  [permit_no_flag] CHAR(1),
  [accid_txt] DECIMAL(10,2),
  [prevent_txt] INT,
  [direct_loss_type] VARCHAR(16),
  [casualty] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'紧急联系人', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'sos_contact'
GO
EXEC sp_addextendedproperty N'MS_Description', N'作业票号', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'permit_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检查区域说明（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'check_area_desc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高现场照片（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'MAX_SITE_PHOTO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'安全扣分单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'deduct_unit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检查项目，由安全岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'checkItem'
GO
EXEC sp_addextendedproperty N'MS_Description', N'安全初始检查区域', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'initCheckArea'
GO
EXEC sp_addextendedproperty N'MS_Description', N'整改期限（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'rectify_due'
GO
EXEC sp_addextendedproperty N'MS_Description', N'作业票号标记，由安全岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'permit_no_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'事故经过', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'accid_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'防范措施，由安全岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'prevent_txt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'安全直接损失类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'direct_loss_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'安全伤亡人数', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_dtl', N'COLUMN', N'casualty'
GO
CREATE TABLE [dbo].[eq_safe_main] (
  [id] BIGINT,
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [avg_check_item] FLOAT,
  [checkArea] DATETIME2,
  [init_checker] DECIMAL(12,3),
  [check_item] INT,
  [RECTIFY_DUE] VARCHAR(64),
  [JIANCHA] DECIMAL(10,2),
  [rectify_due_src] VARCHAR(32),
  [PLAN_SITE_PHOTO] INT,
  [prevent_txt_src] VARCHAR(32),
  [ori_casualty] FLOAT,
  [real_hazard_pos] INT,
  [last_casualty] DATETIME2,
  [blame_txt_type] VARCHAR(16),
  [max_hazard_pos_type] VARCHAR(16),
  [YINHUAN_BIAOJI] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'安全主表', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均检查项目', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'avg_check_item'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检查区域', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'checkArea'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始检查人员，保留两位小数，缺省时按上一条安全记录取', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'init_checker'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检查项目', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'check_item'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'RECTIFY_DUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检查人员（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'JIANCHA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'整改期限来源', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'rectify_due_src'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定现场照片', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'PLAN_SITE_PHOTO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'防范措施来源', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'prevent_txt_src'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始伤亡人数', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'ori_casualty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际隐患部位，由安全岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'real_hazard_pos'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本安全的责任追究类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'blame_txt_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高隐患部位类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'max_hazard_pos_type'
GO
EXEC sp_addextendedproperty N'MS_Description', N'隐患部位标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_safe_main', N'COLUMN', N'YINHUAN_BIAOJI'
GO
CREATE TABLE [dbo].[eq_spare_dtl] (
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [shelf_no] VARCHAR(200),
  [use_dept] DECIMAL(12,3),
  [cur_safe_stock] VARCHAR(200),
  [spare_name] DECIMAL(12,3),
  [stock_num] VARCHAR(64),
  [planLifeHours] FLOAT,
  [init_use_dept_flag] CHAR(1),
  [cur_stock_num_unit] VARCHAR(8)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'备件明细表', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_dtl', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_dtl', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本备件的领用部门', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_dtl', N'COLUMN', N'use_dept'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备件当前安全库存', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_dtl', N'COLUMN', N'cur_safe_stock'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备件备件名称', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_dtl', N'COLUMN', N'spare_name'
GO
EXEC sp_addextendedproperty N'MS_Description', N'库存数量', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_dtl', N'COLUMN', N'stock_num'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始领用部门标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_dtl', N'COLUMN', N'init_use_dept_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前库存数量单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_dtl', N'COLUMN', N'cur_stock_num_unit'
GO
CREATE TABLE [dbo].[eq_spare_his] (
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [equip_no] VARCHAR(64),
  [drawingNo] VARCHAR(64),
  [use_date] FLOAT,
  [ori_lead_days] FLOAT,
  [货架号] FLOAT,
  [stock_num] VARCHAR(200),
  [life_hours] DECIMAL(10,2),
  [avg_spare_name] VARCHAR(64),
  [ori_life_hours] DATETIME2,
  [LEAD_DAYS] VARCHAR(200),
  [lead_days_flag] CHAR(1),
  [admit_flag_unit] VARCHAR(8)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'备件历史表', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本备件的设备编号', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'equip_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'图纸编号', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'drawingNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'投用日期', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'use_date'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始采购周期', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'ori_lead_days'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备件货架号', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'货架号'
GO
EXEC sp_addextendedproperty N'MS_Description', N'库存数量', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'stock_num'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更换寿命', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'life_hours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均备件名称（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'avg_spare_name'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始更换寿命，由备件岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'ori_life_hours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'采购周期', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'LEAD_DAYS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备件采购周期标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'lead_days_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本备件的准入状态单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_his', N'COLUMN', N'admit_flag_unit'
GO
CREATE TABLE [dbo].[eq_spare_main] (
  [id] BIGINT,
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [shelf_no] FLOAT,
  [last_use_dept] DECIMAL(10,2),
  [plan_local_flag] VARCHAR(200),
  [ori_lead_days] FLOAT,
  [max_lead_days_src] VARCHAR(32),
  [lead_days] VARCHAR(64),
  [real_life_hours] VARCHAR(64),
  [ori_vendor_name] VARCHAR(200),
  [admit_flag] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'备件主表', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备件货架号', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'shelf_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本备件的上次领用部门', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'last_use_dept'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本备件的预定国产化标识', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'plan_local_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始采购周期，由备件岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'ori_lead_days'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高采购周期来源，由备件岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'max_lead_days_src'
GO
EXEC sp_addextendedproperty N'MS_Description', N'采购周期，保留两位小数，缺省时按上一条备件记录取', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'lead_days'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际更换寿命', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'real_life_hours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'/', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'ori_vendor_name'
GO
EXEC sp_addextendedproperty N'MS_Description', N'准入状态', N'SCHEMA', N'dbo', N'TABLE', N'eq_spare_main', N'COLUMN', N'admit_flag'
GO
CREATE TABLE [dbo].[eq_user_dtl] (
  [create_time] DATETIME2,
  [pwd_rule] DATETIME2,
  [priv_menu_auth] FLOAT,
  [priv_login_acct] DECIMAL(12,3),
  [priv_role_name] DECIMAL(12,3),
  [visit_ip_desc] VARCHAR(200),
  [req_path_flag] CHAR(1),
  [err_stack_flag] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户明细表', N'SCHEMA', N'dbo', N'TABLE', N'eq_user_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权菜单权限', N'SCHEMA', N'dbo', N'TABLE', N'eq_user_dtl', N'COLUMN', N'priv_menu_auth'
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户特权登录账号', N'SCHEMA', N'dbo', N'TABLE', N'eq_user_dtl', N'COLUMN', N'priv_login_acct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权角色名称，由用户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_user_dtl', N'COLUMN', N'priv_role_name'
GO
EXEC sp_addextendedproperty N'MS_Description', N'访问地址说明', N'SCHEMA', N'dbo', N'TABLE', N'eq_user_dtl', N'COLUMN', N'visit_ip_desc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'请求路径标记（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_user_dtl', N'COLUMN', N'req_path_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'异常堆栈标记（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'eq_user_dtl', N'COLUMN', N'err_stack_flag'
GO
CREATE TABLE [dbo].[eq_vib_dtl] (
  [id] BIGINT,
  [create_time] DATETIME2,
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [rated_kw] VARCHAR(200),
  [repair_hours] DECIMAL(12,3),
  [DOWN_MIN] DECIMAL(12,3),
  [dispAmp] DECIMAL(10,2),
  [real_peak_val] INT,
  [bear_temp] VARCHAR(200),
  [peak_val_src] VARCHAR(32),
  [last_vib_speed] DECIMAL(12,3),
  [ori_bear_temp] DATETIME2,
  [vib_speed] VARCHAR(200),
  [ori_vib_speed] VARCHAR(64),
  [disp_amp] DATETIME2,
  [alarm_limit] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'振动明细表', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'额定功率，由振动岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'rated_kw'
GO
EXEC sp_addextendedproperty N'MS_Description', N'检修工时', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'repair_hours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'停机时长', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'DOWN_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'位移幅值', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'dispAmp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际频谱峰值', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'real_peak_val'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轴承温度，由振动岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'bear_temp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'频谱峰值来源', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'peak_val_src'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次振动速度', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'last_vib_speed'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始轴承温度', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'ori_bear_temp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'振动速度，保留两位小数，缺省时按上一条振动记录取', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'vib_speed'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始振动速度', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'ori_vib_speed'
GO
EXEC sp_addextendedproperty N'MS_Description', N'位移幅值，由振动岗录入', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'disp_amp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'报警阈值', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_dtl', N'COLUMN', N'alarm_limit'
GO
CREATE TABLE [dbo].[eq_vib_main] (
  [id] BIGINT,
  [create_time] DATETIME2,
  [update_user] VARCHAR(32),
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [cur_asset_value] DECIMAL(10,2),
  [maker] INT,
  [asset_value] DATETIME2,
  [ori_insp_item] INT,
  [max_lube_cycle_flag] CHAR(1),
  [trial_result] DECIMAL(10,2),
  [realAlarmLimit] VARCHAR(200),
  [probe_no] VARCHAR(200),
  [avg_bear_temp_unit] VARCHAR(8),
  [disp_amp] DECIMAL(12,3),
  [cur_probe_no] DATETIME2,
  [peak_val] VARCHAR(64),
  [peak_val_flag] CHAR(1),
  [max_bear_temp] DECIMAL(10,2),
  [bear_temp_type] VARCHAR(16)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'振动主表', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'create_time'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'update_user'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前原值', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'cur_asset_value'
GO
EXEC sp_addextendedproperty N'MS_Description', N'振动制造厂', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'maker'
GO
EXEC sp_addextendedproperty N'MS_Description', N'振动原值', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'asset_value'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始点检项目', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'ori_insp_item'
GO
EXEC sp_addextendedproperty N'MS_Description', N'试车结果', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'trial_result'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际报警阈值', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'realAlarmLimit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'测点编号', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'probe_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均轴承温度单位', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'avg_bear_temp_unit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'振动位移幅值', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'disp_amp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本振动的当前测点编号', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'cur_probe_no'
GO
EXEC sp_addextendedproperty N'MS_Description', N'频谱峰值标记', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'peak_val_flag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高轴承温度', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'max_bear_temp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'轴承温度类别', N'SCHEMA', N'dbo', N'TABLE', N'eq_vib_main', N'COLUMN', N'bear_temp_type'
GO
USE [ENERGY_DB]
GO
CREATE TABLE [dbo].[NY_EMIT_DTL] (
  [CREATE_TIME] DATETIME2,
  [REMARK] VARCHAR(500),
  [CONV_FACTOR_SRC] VARCHAR(32),
  [NOX_VAL_DESC] VARCHAR(200),
  [wasteDestVer] INT,
  [FENCHEN] VARCHAR(64),
  [REAL_EXCEED_MIN_FLAG] CHAR(1),
  [SHIJI_FENCHEN] VARCHAR(64),
  [AVG_SEWAGE_FLOW] DECIMAL(10,2),
  [WASTE_DEST] VARCHAR(64),
  [CUR_EXCEED_MIN] VARCHAR(200),
  [NOX_VAL] INT,
  [LAST_ONLINE_PCT_SRC] VARCHAR(32),
  [INIT_EXCEED_MIN] DECIMAL(12,3),
  [CUR_SO2_EMIT] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排放折标系数来源', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'CONV_FACTOR_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'氮氧化物说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'NOX_VAL_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本排放的固废去向版本', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'wasteDestVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'粉尘浓度', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'FENCHEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际超标时长标记', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'REAL_EXCEED_MIN_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际粉尘浓度，保留两位小数，缺省时按上一条排放记录取', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'SHIJI_FENCHEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均废水流量，由排放岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'AVG_SEWAGE_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本排放的固废去向', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'WASTE_DEST'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次在线率来源，由排放岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'LAST_ONLINE_PCT_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前二氧化硫排放', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_DTL', N'COLUMN', N'CUR_SO2_EMIT'
GO
CREATE TABLE [dbo].[NY_EMIT_HIS] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [LAST_WASTE_DEST] INT,
  [OUTLET_NO] VARCHAR(200),
  [ONLINE_PCT_FLAG] CHAR(1),
  [ONLINE_PCT] DECIMAL(10,2),
  [OUTLET_NO_TYPE] VARCHAR(16),
  [FENCHEN] DATETIME2,
  [ORI_NOX_VAL] INT,
  [AVG_OUTLET_NO] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'排放历史表', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次固废去向', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'LAST_WASTE_DEST'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排放口编号，由排放岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'OUTLET_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'在线率标记，由排放岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'ONLINE_PCT_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排放在线率', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'ONLINE_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排放口编号类别', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'OUTLET_NO_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'粉尘浓度', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'FENCHEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本排放的原始氮氧化物', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'ORI_NOX_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均排放口编号', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_HIS', N'COLUMN', N'AVG_OUTLET_NO'
GO
CREATE TABLE [dbo].[NY_EMIT_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [meterKwhFlag] CHAR(1),
  [LAST_NOX_VAL] DECIMAL(12,3),
  [超标时长来源] VARCHAR(32),
  [initOutletNo] DECIMAL(12,3),
  [ORI_SO2_EMIT_DESC] VARCHAR(200),
  [MAX_SO2_EMIT] VARCHAR(64),
  [OUTLET_NO] DECIMAL(10,2),
  [CUR_SEWAGE_FLOW] VARCHAR(200),
  [EXCEED_MIN] VARCHAR(200),
  [CARBON_SCOPE] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'排放主表', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'电表读数标记', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'meterKwhFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次氮氧化物', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'LAST_NOX_VAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'超标时长来源（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'超标时长来源'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始排放口编号，由排放岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'initOutletNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始二氧化硫排放说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'ORI_SO2_EMIT_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排放最高二氧化硫排放', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'MAX_SO2_EMIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排放当前废水流量', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'CUR_SEWAGE_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本排放的超标时长', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'EXCEED_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'核算边界', N'SCHEMA', N'dbo', N'TABLE', N'NY_EMIT_MAIN', N'COLUMN', N'CARBON_SCOPE'
GO
CREATE TABLE [dbo].[NY_METER_DAY] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [WATER_NUM] VARCHAR(64),
  [MEIQI] DECIMAL(12,3),
  [SHIJI_MEIQI] DATETIME2,
  [CONV_FACTOR_VER] INT,
  [MEIQI_SHUOMING] VARCHAR(200),
  [REAL_N2_PRES] DATETIME2,
  [CONV_FACTOR] DECIMAL(10,2),
  [STEAM_FLOW_DESC] VARCHAR(200),
  [oriWaterNum] DATETIME2,
  [SEWAGE_FLOW_TYPE] VARCHAR(16)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'计量日报表', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'计量水表读数', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'WATER_NUM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本计量的煤气用量', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'MEIQI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际煤气用量', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'SHIJI_MEIQI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本计量的折标系数版本', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'CONV_FACTOR_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本计量的煤气用量说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'MEIQI_SHUOMING'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际氮气压力', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'REAL_N2_PRES'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本计量的折标系数', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'CONV_FACTOR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本计量的蒸汽流量说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'STEAM_FLOW_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始水表读数', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'oriWaterNum'
GO
EXEC sp_addextendedproperty N'MS_Description', N'废水流量类别', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DAY', N'COLUMN', N'SEWAGE_FLOW_TYPE'
GO
CREATE TABLE [dbo].[NY_METER_DTL] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [INIT_WATER_NUM] VARCHAR(200),
  [AVG_PEAK_PRD] INT,
  [PEAK_PRD_VER] INT,
  [MEIQI] DECIMAL(12,3),
  [CONV_FACTOR] DECIMAL(12,3),
  [PEAK_PRD] DATETIME2,
  [INIT_PEAK_PRD_UNIT] VARCHAR(8),
  [METER_RATIO] VARCHAR(200),
  [CUR_STEAM_FLOW] DATETIME2,
  [INIT_METER_RATIO_DESC] VARCHAR(200),
  [STEAM_FLOW_DESC] VARCHAR(200),
  [PLAN_WATER_NUM] INT,
  [EXCEED_MIN] FLOAT,
  [CUR_ONLINE_PCT] DECIMAL(12,3),
  [AVG_ONLINE_PCT_VER] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'计量明细表', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均峰谷时段', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'AVG_PEAK_PRD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'峰谷时段版本，由计量岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'PEAK_PRD_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'煤气用量', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'MEIQI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'折标系数', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'CONV_FACTOR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'峰谷时段，保留两位小数，缺省时按上一条计量记录取', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'PEAK_PRD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始峰谷时段单位，由计量岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'INIT_PEAK_PRD_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'计量初始表计倍率说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'INIT_METER_RATIO_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'蒸汽流量说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'STEAM_FLOW_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'超标时长', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'EXCEED_MIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前在线率', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'CUR_ONLINE_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均在线率版本', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_DTL', N'COLUMN', N'AVG_ONLINE_PCT_VER'
GO
CREATE TABLE [dbo].[NY_METER_HIS] (
  [CREATE_TIME] DATETIME2,
  [REMARK] VARCHAR(500),
  [AVG_USE_DATE_TYPE] VARCHAR(16),
  [EQUIP_MODEL] VARCHAR(64),
  [SHEBEI_LAIYUAN] VARCHAR(32),
  [SHIJI_MEIQI] DATETIME2,
  [METER_RATIO] VARCHAR(200),
  [原始峰谷时段] INT,
  [ZUIGAO_DIANBIAO] VARCHAR(64),
  [WATER_NUM] DECIMAL(10,2),
  [水表读数版本] INT,
  [ORI_STEAM_FLOW] DECIMAL(12,3),
  [煤气用量版本] INT,
  [INIT_WASTE_DEST] DECIMAL(12,3),
  [WASTE_DEST] FLOAT,
  [ORI_WASTE_DEST_TYPE] VARCHAR(16)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'计量历史表', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均投用日期类别', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'AVG_USE_DATE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备型号', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'EQUIP_MODEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'设备编号来源，由计量岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'SHEBEI_LAIYUAN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际煤气用量', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'SHIJI_MEIQI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'表计倍率', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'METER_RATIO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始峰谷时段', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'原始峰谷时段'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高电表读数', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'ZUIGAO_DIANBIAO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'水表读数', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'WATER_NUM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'水表读数版本', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'水表读数版本'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始蒸汽流量，由计量岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'ORI_STEAM_FLOW'
GO
EXEC sp_addextendedproperty N'MS_Description', N'计量煤气用量版本', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'煤气用量版本'
GO
EXEC sp_addextendedproperty N'MS_Description', N'计量初始固废去向', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'INIT_WASTE_DEST'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始固废去向类别', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_HIS', N'COLUMN', N'ORI_WASTE_DEST_TYPE'
GO
CREATE TABLE [dbo].[NY_METER_MAIN] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [SHIJI_DIANBIAO_BANBEN] INT,
  [meterKwh] DATETIME2,
  [CUR_WATER_NUM_TYPE] VARCHAR(16),
  [METER_RATIO] VARCHAR(200),
  [SHANGCI_MEIQI] FLOAT,
  [FENCHEN] INT,
  [SO2_EMIT_DESC] VARCHAR(200),
  [LAST_DUST_CONC] DECIMAL(10,2),
  [REAL_EXCEED_MIN] DECIMAL(10,2)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'计量主表', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'计量实际电表读数版本', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'SHIJI_DIANBIAO_BANBEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'meterKwh'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前水表读数类别，保留两位小数，缺省时按上一条计量记录取', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'CUR_WATER_NUM_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'表计倍率', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'METER_RATIO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次煤气用量', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'SHANGCI_MEIQI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本计量的粉尘浓度', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'FENCHEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'二氧化硫排放说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'SO2_EMIT_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次粉尘浓度', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'LAST_DUST_CONC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际超标时长', N'SCHEMA', N'dbo', N'TABLE', N'NY_METER_MAIN', N'COLUMN', N'REAL_EXCEED_MIN'
GO
CREATE TABLE [dbo].[NY_OPLOG_DTL] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [AUTH_DUE] INT,
  [ZHANGHAO] FLOAT,
  [PRIV_MENU_AUTH_TYPE] VARCHAR(16),
  [MENU_AUTH_VER] INT,
  [PRIV_PWD_RULE_DESC] VARCHAR(200),
  [INIT_OWN_ROLE_FLAG] CHAR(1),
  [AVG_AUTH_DUE] VARCHAR(64),
  [VISIT_IP] DATETIME2,
  [COST_MS] INT,
  [ERR_STACK] DATETIME2,
  [BROWSER] DECIMAL(10,2),
  [RIZHI] DECIMAL(12,3),
  [REAL_BROWSER] DECIMAL(10,2),
  [INIT_OPER_TM] VARCHAR(64),
  [CLIENT_VER] DATETIME2,
  [ERR_STACK_TYPE] VARCHAR(16)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'操作明细表', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本操作的授权期限', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'AUTH_DUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'登录账号', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'ZHANGHAO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权菜单权限类别', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'PRIV_MENU_AUTH_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'操作菜单权限版本', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'MENU_AUTH_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权口令策略说明', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'PRIV_PWD_RULE_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始所属角色标记', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'INIT_OWN_ROLE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均授权期限（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'AVG_AUTH_DUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'操作访问地址', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'VISIT_IP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'耗时毫秒', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'COST_MS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本操作的浏览器', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'BROWSER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'日志级别', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'RIZHI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'REAL_BROWSER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始操作时间（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'INIT_OPER_TM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户端版本', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'CLIENT_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'异常堆栈类别，由操作岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_OPLOG_DTL', N'COLUMN', N'ERR_STACK_TYPE'
GO
CREATE TABLE [dbo].[NY_PARAM_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [PLAN_CACHE_TTL] VARCHAR(64),
  [PARAM_KEY_TYPE] VARCHAR(16),
  [CACHE_TTL] DECIMAL(12,3),
  [API_URL_UNIT] VARCHAR(8),
  [ZUIGAO_CANSHU_DANWEI] VARCHAR(8),
  [缓存时效] VARCHAR(200),
  [RETRY_GAP] FLOAT,
  [CRON_EXP] VARCHAR(64),
  [AVG_CRON_EXP] VARCHAR(200),
  [LAST_CACHE_TTL] DECIMAL(10,2),
  [CACHE_TTL_FLAG] CHAR(1),
  [RETRY_GAP_FLAG] CHAR(1),
  [PLAN_RETRY_GAP_FLAG] CHAR(1),
  [CANSHU] VARCHAR(64),
  [REAL_STOP_FLAG] DECIMAL(12,3),
  [REF_STD] VARCHAR(200),
  [CODE_SET_UNIT] VARCHAR(8),
  [DICT_VALUE_TYPE] VARCHAR(16)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'参数主表', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'参数预定缓存时效', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'PLAN_CACHE_TTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'参数键类别', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'PARAM_KEY_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缓存时效', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'CACHE_TTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'接口地址单位', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'API_URL_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'参数最高参数值单位', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'ZUIGAO_CANSHU_DANWEI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'参数缓存时效', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'缓存时效'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本参数的重试间隔', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'RETRY_GAP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均定时表达式', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'AVG_CRON_EXP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次缓存时效', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'LAST_CACHE_TTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'缓存时效标记', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'CACHE_TTL_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'参数预定重试间隔标记', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'PLAN_RETRY_GAP_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'参数值，由参数岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'CANSHU'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际停用标记，由参数岗录入', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'REAL_STOP_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'参数引用标准', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'REF_STD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'代码集单位', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'CODE_SET_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典键值类别', N'SCHEMA', N'dbo', N'TABLE', N'NY_PARAM_MAIN', N'COLUMN', N'DICT_VALUE_TYPE'
GO
USE [SALES_DB]
GO
CREATE TABLE [dbo].[xs_arap_dtl] (
  [createTime] DATETIME2,
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [badDebtVer] INT,
  [agingDays] VARCHAR(64),
  [reconDateSrc] VARCHAR(32),
  [badDebt] VARCHAR(64),
  [writeoffAmt] VARCHAR(64),
  [maxBadDebt] DECIMAL(10,2),
  [arBalType] VARCHAR(16),
  [PARTNER] DECIMAL(12,3),
  [taxpayerNoDesc] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'往来明细表', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'往来坏账准备版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'badDebtVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'账龄（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'agingDays'
GO
EXEC sp_addextendedproperty N'MS_Description', N'对账日期来源，由往来岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'reconDateSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本往来的坏账准备', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'badDebt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'核销金额', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'writeoffAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高坏账准备，保留两位小数，缺省时按上一条往来记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'maxBadDebt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'应收余额类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'arBalType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'往来单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'PARTNER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'纳税人识别号说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_dtl', N'COLUMN', N'taxpayerNoDesc'
GO
CREATE TABLE [dbo].[xs_arap_main] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [remark] VARCHAR(500),
  [legalRep] DECIMAL(10,2),
  [lastAgingDays] DATETIME2,
  [agingDays] DATETIME2,
  [writeoffAmt] DATETIME2,
  [reconDateUnit] VARCHAR(8),
  [apBalFlag] CHAR(1),
  [reconDate] VARCHAR(200),
  [badDebtDesc] VARCHAR(200),
  [curReconDateType] VARCHAR(16),
  [PARTNER] VARCHAR(200),
  [invDate] FLOAT,
  [invTotal] VARCHAR(64)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'往来主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'往来法人代表', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'legalRep'
GO
EXEC sp_addextendedproperty N'MS_Description', N'往来账龄', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'agingDays'
GO
EXEC sp_addextendedproperty N'MS_Description', N'往来核销金额', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'writeoffAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'对账日期单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'reconDateUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本往来的应付余额标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'apBalFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'对账日期', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'reconDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'坏账准备说明，由往来岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'badDebtDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前对账日期类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'curReconDateType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'往来开票日期', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'invDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'价税合计', N'SCHEMA', N'dbo', N'TABLE', N'xs_arap_main', N'COLUMN', N'invTotal'
GO
CREATE TABLE [dbo].[xs_cash_dtl] (
  [breachTxt] DATETIME2,
  [lastSubjectTxt] DECIMAL(12,3),
  [interestType] VARCHAR(16),
  [loanBal] INT,
  [avgPoolAcct] FLOAT,
  [realCreditUsed] DECIMAL(10,2),
  [cashPosVer] INT,
  [avgLoanBalSrc] VARCHAR(32),
  [poolAcct] VARCHAR(200),
  [CASH_POS] VARCHAR(64),
  [planInterestSrc] VARCHAR(32),
  [initCreditUsed] VARCHAR(64),
  [poolAcctVer] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'资金明细表', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'违约责任', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'breachTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次标的物，由资金岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'lastSubjectTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'资金平均归集账户', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'avgPoolAcct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'资金实际授信占用', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'realCreditUsed'
GO
EXEC sp_addextendedproperty N'MS_Description', N'资金头寸版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'cashPosVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均融资余额来源（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'avgLoanBalSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'归集账户', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'poolAcct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'资金头寸', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'CASH_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'资金预定利率来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'planInterestSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始授信占用', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'initCreditUsed'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本资金的归集账户版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_dtl', N'COLUMN', N'poolAcctVer'
GO
CREATE TABLE [dbo].[xs_cash_main] (
  [createTime] DATETIME2,
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [initSubjectTxt] INT,
  [contrNo] INT,
  [INTEREST_SRC] VARCHAR(32),
  [billDue] VARCHAR(200),
  [lastBillDue] VARCHAR(200),
  [payPlan] DECIMAL(10,2),
  [CASH_POS] DECIMAL(10,2),
  [creditUsed] FLOAT,
  [loanBalDesc] VARCHAR(200),
  [interest] VARCHAR(200),
  [payPlanDesc] VARCHAR(200),
  [realCashPosVer] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'资金主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始标的物', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'initSubjectTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同编号', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'contrNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'利率来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'INTEREST_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'票据到期', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'billDue'
GO
EXEC sp_addextendedproperty N'MS_Description', N'资金上次票据到期', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'lastBillDue'
GO
EXEC sp_addextendedproperty N'MS_Description', N'资金资金头寸', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'CASH_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'授信占用（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'creditUsed'
GO
EXEC sp_addextendedproperty N'MS_Description', N'融资余额说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'loanBalDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'付款计划说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'payPlanDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际资金头寸版本，由资金岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_cash_main', N'COLUMN', N'realCashPosVer'
GO
CREATE TABLE [dbo].[xs_contr_dtl] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [remark] VARCHAR(500),
  [initSignDateFlag] CHAR(1),
  [payTermVer] INT,
  [bondNoDesc] VARCHAR(200),
  [planSubjectTxtSrc] VARCHAR(32),
  [INIT_BREACH_TXT] DECIMAL(12,3),
  [SIGN_DATE] VARCHAR(64),
  [contrAmt] INT,
  [signDate] DECIMAL(10,2),
  [bondNoType] VARCHAR(16),
  [bidPrice] VARCHAR(64),
  [bidDoc] INT,
  [账龄] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同明细表', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始签订日期标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'initSignDateFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'付款条件版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'payTermVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'履约保函说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'bondNoDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同预定标的物来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'planSubjectTxtSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始违约责任', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'INIT_BREACH_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本合同的签订日期', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'SIGN_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同金额，由合同岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'contrAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'签订日期', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'signDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'履约保函类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'bondNoType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同投标报价', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'bidPrice'
GO
EXEC sp_addextendedproperty N'MS_Description', N'标书编号', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'bidDoc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同账龄', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_dtl', N'COLUMN', N'账龄'
GO
CREATE TABLE [dbo].[xs_contr_his] (
  [createTime] DATETIME2,
  [contrAmt] DATETIME2,
  [contrNoType] VARCHAR(16),
  [breachTxt] DATETIME2,
  [warrantyAmt] VARCHAR(64),
  [initBondNo] VARCHAR(64),
  [signDateSrc] VARCHAR(32),
  [contrNo] VARCHAR(200),
  [CEILING] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同历史表', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同金额', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_his', N'COLUMN', N'contrAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同编号类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_his', N'COLUMN', N'contrNoType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'违约责任，由合同岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_his', N'COLUMN', N'breachTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同质保金', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_his', N'COLUMN', N'warrantyAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始履约保函，由合同岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_his', N'COLUMN', N'initBondNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同签订日期来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_his', N'COLUMN', N'signDateSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同编号，由合同岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_his', N'COLUMN', N'contrNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同最高限价', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_his', N'COLUMN', N'CEILING'
GO
CREATE TABLE [dbo].[xs_contr_main] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [remark] VARCHAR(500),
  [avgBreachTxtSrc] VARCHAR(32),
  [warrantyAmt] VARCHAR(64),
  [avgBreachTxt] DECIMAL(12,3),
  [contrAmtSrc] VARCHAR(32),
  [subjectTxtDesc] VARCHAR(200),
  [lastWarrantyAmt] DECIMAL(12,3),
  [payTerm] INT,
  [contrNo] FLOAT,
  [bidScore] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本合同的平均违约责任来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'avgBreachTxtSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本合同的质保金', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'warrantyAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均违约责任', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'avgBreachTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同金额来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'contrAmtSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'标的物说明（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'subjectTxtDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次质保金', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'lastWarrantyAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'付款条件', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'payTerm'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合同编号', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'contrNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'评标得分', N'SCHEMA', N'dbo', N'TABLE', N'xs_contr_main', N'COLUMN', N'bidScore'
GO
CREATE TABLE [dbo].[xs_cost_dtl] (
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [status] CHAR(1),
  [byprodAmt] DECIMAL(10,2),
  [AVG_COST_CENTER_DESC] VARCHAR(200),
  [costCenterVer] INT,
  [curCarryPrdUnit] VARCHAR(8),
  [avgMfgExp] DECIMAL(12,3),
  [realMfgExp] DECIMAL(10,2),
  [stdConsume] DATETIME2,
  [CARRY_PRD] DATETIME2,
  [tonCost] VARCHAR(64),
  [realTonCostDesc] VARCHAR(200),
  [avgStdConsume] INT,
  [costCenter] DATETIME2,
  [diffAmt] FLOAT,
  [STD_CONSUME] VARCHAR(200),
  [tonCostDesc] VARCHAR(200),
  [预定成本中心] VARCHAR(64),
  [invTotalUnit] VARCHAR(8),
  [taxRate] INT,
  [n2PresDesc] VARCHAR(200),
  [convFactor] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'成本明细表', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'副产品回收', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'byprodAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均成本中心说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'AVG_COST_CENTER_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成本中心版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'costCenterVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均制造费用', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'avgMfgExp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际制造费用，保留两位小数，缺省时按上一条成本记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'realMfgExp'
GO
EXEC sp_addextendedproperty N'MS_Description', N'标准单耗', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'stdConsume'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'CARRY_PRD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吨钢成本（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'tonCost'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际吨钢成本说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'realTonCostDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均标准单耗', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'avgStdConsume'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成本中心', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'costCenter'
GO
EXEC sp_addextendedproperty N'MS_Description', N'差异金额', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'diffAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'标准单耗', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'STD_CONSUME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成本预定成本中心', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'预定成本中心'
GO
EXEC sp_addextendedproperty N'MS_Description', N'价税合计单位，由成本岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'invTotalUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成本税率', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'taxRate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'氮气压力说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'n2PresDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'折标系数', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_dtl', N'COLUMN', N'convFactor'
GO
CREATE TABLE [dbo].[xs_cost_main] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [CHENGBEN] DECIMAL(12,3),
  [tonCost] VARCHAR(200),
  [stdConsume] DATETIME2,
  [diffAmt] VARCHAR(64),
  [byprodAmtSrc] VARCHAR(32),
  [lastByprodAmt] VARCHAR(64),
  [AVG_DIFF_AMT_VER] INT,
  [sharePct] INT,
  [costCenter] FLOAT,
  [diffAmtType] VARCHAR(16),
  [MFG_EXP] INT,
  [SHARE_PCT] DECIMAL(10,2),
  [byprodAmtUnit] VARCHAR(8),
  [byprodAmtDesc] VARCHAR(200),
  [carryPrdSrc] VARCHAR(32),
  [INIT_TAXPAYER_NO] VARCHAR(200),
  [planSteamFlowFlag] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吨钢成本', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'CHENGBEN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'吨钢成本（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'tonCost'
GO
EXEC sp_addextendedproperty N'MS_Description', N'标准单耗，由成本岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'stdConsume'
GO
EXEC sp_addextendedproperty N'MS_Description', N'差异金额（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'diffAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'副产品回收来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'byprodAmtSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成本上次副产品回收', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'lastByprodAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均差异金额版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'AVG_DIFF_AMT_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'分摊比例', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'sharePct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成本中心', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'costCenter'
GO
EXEC sp_addextendedproperty N'MS_Description', N'差异金额类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'diffAmtType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成本制造费用', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'MFG_EXP'
GO
EXEC sp_addextendedproperty N'MS_Description', N'分摊比例', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'SHARE_PCT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'副产品回收单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'byprodAmtUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'副产品回收说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'byprodAmtDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本成本的结转期间来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'carryPrdSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本成本的预定蒸汽流量标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_cost_main', N'COLUMN', N'planSteamFlowFlag'
GO
CREATE TABLE [dbo].[xs_cust_day] (
  [createTime] DATETIME2,
  [remark] VARCHAR(500),
  [visitMemoVer] INT,
  [custContact] DECIMAL(10,2),
  [maxLegalRep] INT,
  [legalRepSrc] VARCHAR(32),
  [planCreditLimit] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户日报表', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_day'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_day', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_day', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户回访记录版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_day', N'COLUMN', N'visitMemoVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户联系人', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_day', N'COLUMN', N'custContact'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高法人代表', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_day', N'COLUMN', N'maxLegalRep'
GO
EXEC sp_addextendedproperty N'MS_Description', N'法人代表来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_day', N'COLUMN', N'legalRepSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户预定信用额度', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_day', N'COLUMN', N'planCreditLimit'
GO
CREATE TABLE [dbo].[xs_cust_dtl] (
  [createTime] DATETIME2,
  [xyOrderStat] VARCHAR(200),
  [xySalesManSrc] VARCHAR(32),
  [mobileNo] VARCHAR(200),
  [bankName] DECIMAL(12,3),
  [initIndustry] DECIMAL(10,2),
  [CUST_NAME_FLAG] CHAR(1),
  [custContact] DATETIME2,
  [visitMemoUnit] VARCHAR(8),
  [VISIT_MEMO_UNIT] VARCHAR(8),
  [realCustNameVer] INT,
  [curMobileNoType] VARCHAR(16),
  [planCustContactVer] INT,
  [arBal] INT,
  [AP_BAL] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户明细表', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议订单状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'xyOrderStat'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议业务员来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'xySalesManSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'手机号码，由客户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'mobileNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'开户银行，由客户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'bankName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始所属行业', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'initIndustry'
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户名称标记（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'CUST_NAME_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户联系人', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'custContact'
GO
EXEC sp_addextendedproperty N'MS_Description', N'回访记录单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'visitMemoUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'回访记录单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'VISIT_MEMO_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际客户名称版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'realCustNameVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定客户联系人版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'planCustContactVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'应收余额', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'arBal'
GO
EXEC sp_addextendedproperty N'MS_Description', N'应付余额，保留两位小数，缺省时按上一条客户记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_dtl', N'COLUMN', N'AP_BAL'
GO
CREATE TABLE [dbo].[xs_cust_his] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [remark] VARCHAR(500),
  [planCustContact] FLOAT,
  [oriBankName] VARCHAR(64),
  [initCustName] FLOAT,
  [legalRep] DECIMAL(12,3),
  [visitMemo] DATETIME2,
  [creditLimit] DATETIME2,
  [avgBankName] DECIMAL(10,2),
  [planCreditLimitSrc] VARCHAR(32),
  [visitMemoSrc] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户历史表', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本客户的预定客户联系人', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'planCustContact'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始开户银行', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'oriBankName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始客户名称（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'initCustName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'法人代表', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'legalRep'
GO
EXEC sp_addextendedproperty N'MS_Description', N'回访记录', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'visitMemo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'信用额度，保留两位小数，缺省时按上一条客户记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'creditLimit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均开户银行', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'avgBankName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定信用额度来源，由客户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'planCreditLimitSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'回访记录来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_his', N'COLUMN', N'visitMemoSrc'
GO
CREATE TABLE [dbo].[xs_cust_main] (
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [mobileNoDesc] VARCHAR(200),
  [lastBankName] DECIMAL(12,3),
  [initCustContact] DECIMAL(10,2),
  [curVisitMemo] VARCHAR(64),
  [industry] DECIMAL(10,2),
  [BANK_NAME] VARCHAR(200),
  [realBankName] DATETIME2,
  [oriMobileNo] DATETIME2
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本客户的手机号码说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'mobileNoDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次开户银行', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'lastBankName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始客户联系人', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'initCustContact'
GO
EXEC sp_addextendedproperty N'MS_Description', N'所属行业', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'industry'
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户开户银行', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'BANK_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本客户的实际开户银行', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'realBankName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始手机号码（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_cust_main', N'COLUMN', N'oriMobileNo'
GO
CREATE TABLE [dbo].[xs_dict_his] (
  [createTime] DATETIME2,
  [remark] VARCHAR(500),
  [langCd] FLOAT,
  [maxDictLabel] DATETIME2,
  [stopFlagVer] INT,
  [stopFlagSrc] VARCHAR(32),
  [langCdDesc] VARCHAR(200),
  [SORT_NUM_VER] INT,
  [DICT_VALUE] FLOAT,
  [ZIDIAN_DANWEI] VARCHAR(8),
  [recomGrade] INT,
  [CUR_EXEC_STD] DATETIME2
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典历史表', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典语种', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'langCd'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典最高字典标签', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'maxDictLabel'
GO
EXEC sp_addextendedproperty N'MS_Description', N'停用标记版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'stopFlagVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'停用标记来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'stopFlagSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'语种说明，保留两位小数，缺省时按上一条字典记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'langCdDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'显示顺序版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'SORT_NUM_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典字典键值', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'DICT_VALUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典类型单位（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'ZIDIAN_DANWEI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'xs_dict_his', N'COLUMN', N'recomGrade'
GO
CREATE TABLE [dbo].[xs_invoice_main] (
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [realOrderQty] DECIMAL(10,2),
  [xyOrderQty] FLOAT,
  [invTotal] INT,
  [AVG_INV_TOTAL] DATETIME2,
  [avgRedTxt] FLOAT,
  [taxpayerNo] VARCHAR(64),
  [curInvNoUnit] VARCHAR(8),
  [invNo] DECIMAL(10,2),
  [initTaxpayerNo] DATETIME2,
  [taxpayerNoType] VARCHAR(16),
  [PLAN_TAX_RATE_FLAG] CHAR(1),
  [invTotalDesc] VARCHAR(200),
  [taxRate] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'发票主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际订货数量', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'realOrderQty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议订货数量', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'xyOrderQty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发票平均价税合计', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'AVG_INV_TOTAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本发票的平均红冲原因', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'avgRedTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'taxpayerNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本发票的当前发票号码单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'curInvNoUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发票号码，保留两位小数，缺省时按上一条发票记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'invNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定税率标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'PLAN_TAX_RATE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'价税合计说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'invTotalDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发票税率', N'SCHEMA', N'dbo', N'TABLE', N'xs_invoice_main', N'COLUMN', N'taxRate'
GO
CREATE TABLE [dbo].[xs_oplog_main] (
  [createTime] DATETIME2,
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [YUDING_ZHANGHAO] FLOAT,
  [PRIV_ZHANGHAO_LEIBIE] VARCHAR(16),
  [AUTH_DUE] FLOAT,
  [privAuthDueUnit] VARCHAR(8),
  [privAuthDue] VARCHAR(64),
  [privLockCnt] INT,
  [menuAuth] DATETIME2,
  [ownRole] DECIMAL(12,3),
  [loginAcct] DATETIME2,
  [pwdRule] INT,
  [privPwdRuleType] VARCHAR(16),
  [curReqPath] FLOAT,
  [BROWSER] INT,
  [costMs] DECIMAL(12,3),
  [reqPath] DECIMAL(10,2),
  [logLevel] INT,
  [visitIpDesc] VARCHAR(200),
  [errStackDesc] VARCHAR(200),
  [paramVal] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'操作主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'操作预定登录账号', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'YUDING_ZHANGHAO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权登录账号类别（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'PRIV_ZHANGHAO_LEIBIE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本操作的授权期限', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'AUTH_DUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权授权期限单位，由操作岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'privAuthDueUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权授权期限', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'privAuthDue'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权锁定次数', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'privLockCnt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'菜单权限', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'menuAuth'
GO
EXEC sp_addextendedproperty N'MS_Description', N'操作所属角色', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'ownRole'
GO
EXEC sp_addextendedproperty N'MS_Description', N'口令策略', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'pwdRule'
GO
EXEC sp_addextendedproperty N'MS_Description', N'操作特权口令策略类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'privPwdRuleType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前请求路径', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'curReqPath'
GO
EXEC sp_addextendedproperty N'MS_Description', N'操作浏览器', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'BROWSER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'耗时毫秒', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'costMs'
GO
EXEC sp_addextendedproperty N'MS_Description', N'请求路径', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'reqPath'
GO
EXEC sp_addextendedproperty N'MS_Description', N'日志级别', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'logLevel'
GO
EXEC sp_addextendedproperty N'MS_Description', N'访问地址说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'visitIpDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'异常堆栈说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'errStackDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'参数值，保留两位小数，缺省时按上一条操作记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_oplog_main', N'COLUMN', N'paramVal'
GO
CREATE TABLE [dbo].[xs_order_day] (
  [id] BIGINT,
  [remark] VARCHAR(500),
  [planDelivDate] VARCHAR(64),
  [xyDelivDate] VARCHAR(200),
  [lineNoDesc] VARCHAR(200),
  [salesMan] FLOAT,
  [xyLineNo] DECIMAL(12,3),
  [avgOrderStat] DECIMAL(10,2),
  [goodsSpecDesc] VARCHAR(200),
  [shipToSrc] VARCHAR(32),
  [lastShipNoSrc] VARCHAR(32),
  [weighTonDesc] VARCHAR(200),
  [usageTxt] VARCHAR(200),
  [oriProdClassSrc] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单日报表', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本订单的协议交货日期', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'xyDelivDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合并行号说明（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'lineNoDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本订单的业务员', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'salesMan'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议合并行号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'xyLineNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均订单状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'avgOrderStat'
GO
EXEC sp_addextendedproperty N'MS_Description', N'品名规格说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'goodsSpecDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'收货地址来源，保留两位小数，缺省时按上一条订单记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'shipToSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次发货单号来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'lastShipNoSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'过磅重量说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'weighTonDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'用途说明，由订单岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'usageTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单原始产品大类来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_day', N'COLUMN', N'oriProdClassSrc'
GO
CREATE TABLE [dbo].[xs_order_dtl] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [orderNo] FLOAT,
  [orderQty] DECIMAL(10,2),
  [planOrderStatSrc] VARCHAR(32),
  [salesManType] VARCHAR(16),
  [avgSalesMan] DECIMAL(10,2),
  [xyLineNo] DECIMAL(12,3),
  [xyOrderNo] DECIMAL(10,2),
  [curCreditLimit] VARCHAR(200),
  [driver] INT,
  [recomGrade] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单明细表', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单订单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'orderNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订货数量', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'orderQty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单预定订单状态来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'planOrderStatSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单业务员类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'salesManType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均业务员（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'avgSalesMan'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本订单的协议合并行号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'xyLineNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本订单的协议订单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'xyOrderNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本订单的司机', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'driver'
GO
EXEC sp_addextendedproperty N'MS_Description', N'推荐牌号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_dtl', N'COLUMN', N'recomGrade'
GO
CREATE TABLE [dbo].[xs_order_his] (
  [createTime] DATETIME2,
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [orderNoFlag] CHAR(1),
  [xyDelivDate] DECIMAL(10,2),
  [lineNoSrc] VARCHAR(32),
  [xyLineNo] DECIMAL(10,2),
  [orderNo] DATETIME2,
  [salesMan] DECIMAL(12,3),
  [delivDate] VARCHAR(200),
  [orderNoType] VARCHAR(16),
  [orderStat] VARCHAR(64),
  [salesManSrc] VARCHAR(32),
  [bankName] VARCHAR(200),
  [custNameSrc] VARCHAR(32),
  [loadPosUnit] VARCHAR(8),
  [packMode] VARCHAR(64),
  [usageTxt] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单历史表', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单号标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'orderNoFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议交货日期', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'xyDelivDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合并行号来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'lineNoSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议合并行号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'xyLineNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单订单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'orderNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单业务员', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'salesMan'
GO
EXEC sp_addextendedproperty N'MS_Description', N'交货日期', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'delivDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单订单号类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'orderNoType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'orderStat'
GO
EXEC sp_addextendedproperty N'MS_Description', N'业务员来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'salesManSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单开户银行', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'bankName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'客户名称来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'custNameSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单装车垛位单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'loadPosUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'包装方式，保留两位小数，缺省时按上一条订单记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'packMode'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单用途说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_his', N'COLUMN', N'usageTxt'
GO
CREATE TABLE [dbo].[xs_order_main] (
  [createTime] DATETIME2,
  [remark] VARCHAR(500),
  [planLineNo] FLOAT,
  [xyOrderStatUnit] VARCHAR(8),
  [lineNoVer] INT,
  [curShipTo] DATETIME2,
  [initGoodsSpec] DATETIME2,
  [协议品名规格] INT,
  [orderStat] DECIMAL(12,3),
  [creditLimit] VARCHAR(200),
  [SIGN_OFF_TM] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定合并行号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'planLineNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议订单状态单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'xyOrderStatUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合并行号版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'lineNoVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始品名规格', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'initGoodsSpec'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议品名规格', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'协议品名规格'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单状态，由订单岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'orderStat'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单信用额度', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'creditLimit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'签收时刻', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_main', N'COLUMN', N'SIGN_OFF_TM'
GO
CREATE TABLE [dbo].[xs_order_rec] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [remark] VARCHAR(500),
  [orderNo] DECIMAL(10,2),
  [orderQtySrc] VARCHAR(32),
  [shipTo] DATETIME2,
  [xyOrderStat] DATETIME2,
  [xyDelivDate] VARCHAR(200),
  [curLineNo] INT,
  [xyOrderNo] DECIMAL(12,3),
  [LINE_NO] DATETIME2,
  [legalRep] DECIMAL(10,2),
  [BANK_NAME_UNIT] VARCHAR(8),
  [loadPos] DECIMAL(12,3),
  [FAHUO] DECIMAL(10,2),
  [execStd] VARCHAR(200),
  [realUsageTxtDesc] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单记录表', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单订单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'orderNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订货数量来源（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'orderQtySrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本订单的收货地址', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'shipTo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议订单状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'xyOrderStat'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议交货日期', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'xyDelivDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本订单的当前合并行号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'curLineNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单协议订单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'xyOrderNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合并行号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'LINE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'法人代表', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'legalRep'
GO
EXEC sp_addextendedproperty N'MS_Description', N'开户银行单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'BANK_NAME_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单装车垛位', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'loadPos'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单发货单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'FAHUO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'执行标准', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'execStd'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际用途说明说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_rec', N'COLUMN', N'realUsageTxtDesc'
GO
CREATE TABLE [dbo].[xs_order_sum] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [remark] VARCHAR(500),
  [salesMan] FLOAT,
  [lastOrderQtyType] VARCHAR(16),
  [goodsSpecUnit] VARCHAR(8),
  [xyOrderNo] INT,
  [xySalesMan] VARCHAR(64),
  [orderQty] VARCHAR(200),
  [curDelivDateUnit] VARCHAR(8),
  [xyOrderQty] FLOAT,
  [goodsSpecType] VARCHAR(16),
  [delivDate] INT,
  [legalRep] FLOAT,
  [curSignOffTm] DECIMAL(12,3),
  [avgCarrier] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单汇总表', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本订单的业务员', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'salesMan'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次订货数量类别，由订单岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'lastOrderQtyType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'品名规格单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'goodsSpecUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单协议订单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'xyOrderNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议业务员，保留两位小数，缺省时按上一条订单记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'xySalesMan'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订货数量', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'orderQty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前交货日期单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'curDelivDateUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议订货数量', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'xyOrderQty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'交货日期', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'delivDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'法人代表，由订单岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'legalRep'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前签收时刻', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'curSignOffTm'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均承运商', N'SCHEMA', N'dbo', N'TABLE', N'xs_order_sum', N'COLUMN', N'avgCarrier'
GO
CREATE TABLE [dbo].[xs_org_dtl] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [deptCd] FLOAT,
  [avgDeptCd] DATETIME2,
  [OFFICE_LOC_UNIT] VARCHAR(8),
  [oriOfficeLoc] INT,
  [deptCdFlag] CHAR(1),
  [foundDateVer] INT,
  [orgLevel] INT,
  [codeSet] DATETIME2,
  [stopFlag] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构明细表', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'部门代码，由机构岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'deptCd'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构平均部门代码', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'avgDeptCd'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构办公地点单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'OFFICE_LOC_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'部门代码标记，由机构岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'deptCdFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本机构的成立日期版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'foundDateVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构层级，由机构岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'orgLevel'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构代码集', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'codeSet'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构停用标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_org_dtl', N'COLUMN', N'stopFlag'
GO
CREATE TABLE [dbo].[xs_price_dtl] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [remark] VARCHAR(500),
  [orderStat] DECIMAL(12,3),
  [maxFloorPrice] DECIMAL(12,3),
  [extraItemUnit] VARCHAR(8),
  [basePrice] VARCHAR(64),
  [rebatePct] VARCHAR(200),
  [priceZoneSrc] VARCHAR(32),
  [planAdjustDoc] VARCHAR(64),
  [rebatePctType] VARCHAR(16),
  [AVG_PRICE_ZONE_FLAG] CHAR(1),
  [avgFloorPrice] INT,
  [floorPrice] VARCHAR(64),
  [maxExtraItemVer] INT,
  [adjustDoc] DATETIME2,
  [realYieldAmt] VARCHAR(200),
  [basePriceType] VARCHAR(16),
  [PROD_SPEC] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'价格明细表', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单状态，由价格岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'orderStat'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高最低售价', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'maxFloorPrice'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加价项目单位，保留两位小数，缺省时按上一条价格记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'extraItemUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'价格基准价', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'basePrice'
GO
EXEC sp_addextendedproperty N'MS_Description', N'价格返利比例', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'rebatePct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'定价区域来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'priceZoneSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定调价批文', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'planAdjustDoc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'价格返利比例类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'rebatePctType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均定价区域标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'AVG_PRICE_ZONE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均最低售价', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'avgFloorPrice'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高加价项目版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'maxExtraItemVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本价格的调价批文', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'adjustDoc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际让利额度', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'realYieldAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'价格基准价类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'basePriceType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品规格', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_dtl', N'COLUMN', N'PROD_SPEC'
GO
CREATE TABLE [dbo].[xs_price_main] (
  [createTime] DATETIME2,
  [remark] VARCHAR(500),
  [xySalesMan] VARCHAR(64),
  [orderStat] VARCHAR(64),
  [lineNoFlag] CHAR(1),
  [floorPrice] DECIMAL(12,3),
  [discRateFlag] CHAR(1),
  [yieldAmt] FLOAT,
  [discRateType] VARCHAR(16),
  [lastAdjustDoc] INT,
  [rebatePct] FLOAT,
  [priceZone] FLOAT,
  [extraItem] DATETIME2,
  [discRate] VARCHAR(200),
  [EXTRA_ITEM] FLOAT,
  [floorPriceUnit] VARCHAR(8),
  [adjustDoc] DECIMAL(12,3),
  [返利比例] INT,
  [ADJUST_DOC] DECIMAL(12,3),
  [lastProdName] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'价格主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议业务员', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'xySalesMan'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'orderStat'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合并行号标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'lineNoFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'价格最低售价', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'floorPrice'
GO
EXEC sp_addextendedproperty N'MS_Description', N'折扣率标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'discRateFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'折扣率类别，由价格岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'discRateType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次调价批文，保留两位小数，缺省时按上一条价格记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'lastAdjustDoc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'返利比例', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'rebatePct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'定价区域，由价格岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'priceZone'
GO
EXEC sp_addextendedproperty N'MS_Description', N'价格折扣率', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'discRate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加价项目', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'EXTRA_ITEM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最低售价单位，保留两位小数，缺省时按上一条价格记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'floorPriceUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本价格的调价批文', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'adjustDoc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'返利比例（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'返利比例'
GO
EXEC sp_addextendedproperty N'MS_Description', N'调价批文', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'ADJUST_DOC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次产品名称', N'SCHEMA', N'dbo', N'TABLE', N'xs_price_main', N'COLUMN', N'lastProdName'
GO
CREATE TABLE [dbo].[xs_prod_his] (
  [updateUser] VARCHAR(32),
  [realSteelGrade] INT,
  [nkCPct] DECIMAL(12,3),
  [salesMan] VARCHAR(64),
  [xySalesManUnit] VARCHAR(8),
  [LINE_NO] INT,
  [PACK_MODE] DATETIME2,
  [产品名称] VARCHAR(200),
  [prodSpec] FLOAT,
  [lastProdClass] VARCHAR(200),
  [recomGrade] INT,
  [PROD_SPEC] DECIMAL(10,2),
  [packMode] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品历史表', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际钢种牌号（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'realSteelGrade'
GO
EXEC sp_addextendedproperty N'MS_Description', N'内控碳含量，保留两位小数，缺省时按上一条产品记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'nkCPct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'协议业务员单位，由产品岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'xySalesManUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'合并行号', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'LINE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品名称', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'产品名称'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品产品规格', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'prodSpec'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次产品大类', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'lastProdClass'
GO
EXEC sp_addextendedproperty N'MS_Description', N'推荐牌号', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'recomGrade'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品规格', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'PROD_SPEC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'包装方式', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_his', N'COLUMN', N'packMode'
GO
CREATE TABLE [dbo].[xs_prod_main] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [status] CHAR(1),
  [shipToFlag] CHAR(1),
  [prodClass] DECIMAL(12,3),
  [packMode] INT,
  [prodNameType] VARCHAR(16),
  [usageTxt] FLOAT,
  [maxProdClassDesc] VARCHAR(200),
  [lastProdNameDesc] VARCHAR(200),
  [catalogue_id] VARCHAR(64)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'收货地址标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'shipToFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品产品大类', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'prodClass'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品名称类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'prodNameType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'用途说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'usageTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品最高产品大类说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'maxProdClassDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'产品上次产品名称说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'lastProdNameDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'目录主键', N'SCHEMA', N'dbo', N'TABLE', N'xs_prod_main', N'COLUMN', N'catalogue_id'
GO
CREATE TABLE [dbo].[xs_sched_his] (
  [createTime] DATETIME2,
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [realShipTo] DECIMAL(10,2),
  [feedDate] DECIMAL(10,2),
  [JIHUA] VARCHAR(64),
  [curRollingDays] DATETIME2,
  [mergeRuleType] VARCHAR(16),
  [oriBottleneckDesc] VARCHAR(200),
  [planQtyFlag] CHAR(1),
  [planPlanNo] VARCHAR(64),
  [rollingDays] VARCHAR(200),
  [lastRollingDaysSrc] VARCHAR(32),
  [lastRollingDays] DECIMAL(12,3),
  [feedDateSrc] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程历史表', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本排程的实际收货地址', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'realShipTo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程计划号', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'JIHUA'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本排程的当前滚动周期', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'curRollingDays'
GO
EXEC sp_addextendedproperty N'MS_Description', N'排程合同归并类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'mergeRuleType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'oriBottleneckDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'计划产量标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'planQtyFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定计划号', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'planPlanNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'滚动周期，由排程岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'rollingDays'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次滚动周期来源，由排程岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'lastRollingDaysSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次滚动周期，保留两位小数，缺省时按上一条排程记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'lastRollingDays'
GO
EXEC sp_addextendedproperty N'MS_Description', N'投料日期来源，保留两位小数，缺省时按上一条排程记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_sched_his', N'COLUMN', N'feedDateSrc'
GO
CREATE TABLE [dbo].[xs_ship_day] (
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [remark] VARCHAR(500),
  [shipTo] DATETIME2,
  [orderStat] VARCHAR(200),
  [orderQty] VARCHAR(200),
  [REAL_INDUSTRY_SRC] VARCHAR(32),
  [carrier] VARCHAR(64),
  [SIGN_OFF_TM] DECIMAL(12,3),
  [shipNo] DATETIME2,
  [carrierVer] INT,
  [MAX_LOAD_POS] FLOAT,
  [loadPos] INT,
  [avgSignOffTm] DATETIME2,
  [stationUnit] VARCHAR(8),
  [oriCarrier] VARCHAR(200),
  [weighTon] INT,
  [signOffTm] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货日报表', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'收货地址', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'shipTo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订单状态', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'orderStat'
GO
EXEC sp_addextendedproperty N'MS_Description', N'订货数量', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'orderQty'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际所属行业来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'REAL_INDUSTRY_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'承运商，由发货岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'carrier'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货签收时刻', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'SIGN_OFF_TM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'shipNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'承运商版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'carrierVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高装车垛位', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'MAX_LOAD_POS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装车垛位', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'loadPos'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本发货的平均签收时刻', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'avgSignOffTm'
GO
EXEC sp_addextendedproperty N'MS_Description', N'到站名称单位，由发货岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'stationUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始承运商', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'oriCarrier'
GO
EXEC sp_addextendedproperty N'MS_Description', N'签收时刻', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_day', N'COLUMN', N'signOffTm'
GO
CREATE TABLE [dbo].[xs_ship_dtl] (
  [createTime] DATETIME2,
  [status] CHAR(1),
  [loadPos] INT,
  [shipNoUnit] VARCHAR(8),
  [initStationType] VARCHAR(16),
  [shipNo] DECIMAL(10,2),
  [truckNo] DATETIME2,
  [loadPosType] VARCHAR(16),
  [weighTon] VARCHAR(64),
  [AVG_WEIGH_TON] DATETIME2,
  [signOffTm] DECIMAL(10,2),
  [maxTruckNoUnit] VARCHAR(8)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货明细表', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装车垛位', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'loadPos'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货单号单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'shipNoUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始到站名称类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'initStationType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货发货单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'shipNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货车牌号', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'truckNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装车垛位类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'loadPosType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'过磅重量', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'weighTon'
GO
EXEC sp_addextendedproperty N'MS_Description', N'/', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'AVG_WEIGH_TON'
GO
EXEC sp_addextendedproperty N'MS_Description', N'签收时刻', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'signOffTm'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高车牌号单位（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_dtl', N'COLUMN', N'maxTruckNoUnit'
GO
CREATE TABLE [dbo].[xs_ship_his] (
  [createTime] DATETIME2,
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [SALES_MAN] INT,
  [initOrderStat] DECIMAL(12,3),
  [avgShipTo] DECIMAL(12,3),
  [carrier] INT,
  [lastShipNoUnit] VARCHAR(8),
  [REAL_CARRIER] DATETIME2,
  [avgCarrier] VARCHAR(64),
  [loadPos] DECIMAL(12,3),
  [signOffTmVer] INT,
  [realShipNo] FLOAT,
  [signOffTmSrc] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货历史表', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'业务员，由发货岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'SALES_MAN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均收货地址', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'avgShipTo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'carrier'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次发货单号单位，由发货岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'lastShipNoUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际承运商，保留两位小数，缺省时按上一条发货记录取', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'REAL_CARRIER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均承运商', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'avgCarrier'
GO
EXEC sp_addextendedproperty N'MS_Description', N'装车垛位', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'loadPos'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货签收时刻版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'signOffTmVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际发货单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'realShipNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'签收时刻来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_his', N'COLUMN', N'signOffTmSrc'
GO
CREATE TABLE [dbo].[xs_ship_main] (
  [status] CHAR(1),
  [remark] VARCHAR(500),
  [平均品名规格] DATETIME2,
  [lastCreditLimit] FLOAT,
  [avgBankName] DATETIME2,
  [TRUCK_NO] DECIMAL(12,3),
  [truckNo] DECIMAL(12,3),
  [oriCarrier] DECIMAL(10,2),
  [shipNo] DECIMAL(10,2),
  [avgShipNo] DATETIME2
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_main', N'COLUMN', N'status'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均品名规格', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_main', N'COLUMN', N'平均品名规格'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次信用额度', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_main', N'COLUMN', N'lastCreditLimit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均开户银行', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_main', N'COLUMN', N'avgBankName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货车牌号', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_main', N'COLUMN', N'TRUCK_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货车牌号', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_main', N'COLUMN', N'truckNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始承运商，由发货岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_main', N'COLUMN', N'oriCarrier'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发货单号', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_main', N'COLUMN', N'shipNo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均发货单号（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_ship_main', N'COLUMN', N'avgShipNo'
GO
CREATE TABLE [dbo].[xs_user_day] (
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [remark] VARCHAR(500),
  [maritalUnit] VARCHAR(8),
  [tokenId] VARCHAR(64),
  [maxAuthDue] DATETIME2,
  [lastMenuAuth] DECIMAL(10,2),
  [menuAuthType] VARCHAR(16),
  [PRIV_LOCK_CNT] DECIMAL(10,2),
  [lastLoginAcct] FLOAT,
  [privOwnRoleUnit] VARCHAR(8),
  [privAuthDueVer] INT,
  [costMs] DECIMAL(12,3),
  [lastBrowser] FLOAT,
  [avgLogLevel] DATETIME2,
  [realClientVer] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户日报表', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'remark'
GO
EXEC sp_addextendedproperty N'MS_Description', N'令牌标识，由用户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'tokenId'
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户最高授权期限', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'maxAuthDue'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次菜单权限', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'lastMenuAuth'
GO
EXEC sp_addextendedproperty N'MS_Description', N'菜单权限类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'menuAuthType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权锁定次数', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'PRIV_LOCK_CNT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权所属角色单位（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'privOwnRoleUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本用户的特权授权期限版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'privAuthDueVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'耗时毫秒，由用户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'costMs'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次浏览器', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'lastBrowser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均日志级别，由用户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_day', N'COLUMN', N'avgLogLevel'
GO
CREATE TABLE [dbo].[xs_user_main] (
  [id] BIGINT,
  [createTime] DATETIME2,
  [curNativePlaceSrc] VARCHAR(32),
  [INIT_HIRE_DATE_UNIT] VARCHAR(8),
  [privOwnRole] INT,
  [AUTH_DUE] DECIMAL(10,2),
  [oriOwnRoleFlag] CHAR(1),
  [ownRole] VARCHAR(200),
  [avgTokenId] INT,
  [loginAcct] DECIMAL(12,3),
  [privLoginAcct] DECIMAL(12,3),
  [privTokenIdType] VARCHAR(16),
  [BROWSER] DECIMAL(10,2),
  [oriErrStack] DECIMAL(12,3),
  [curBrowser] FLOAT,
  [costMsUnit] VARCHAR(8)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'id'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前籍贯来源（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'curNativePlaceSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始入职日期单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'INIT_HIRE_DATE_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权所属角色，由用户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'privOwnRole'
GO
EXEC sp_addextendedproperty N'MS_Description', N'授权期限', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'AUTH_DUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始所属角色标记', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'oriOwnRoleFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'所属角色，由用户岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'ownRole'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均令牌标识', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'avgTokenId'
GO
EXEC sp_addextendedproperty N'MS_Description', N'登录账号', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'loginAcct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户特权登录账号', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'privLoginAcct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'特权令牌标识类别', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'privTokenIdType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户浏览器', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'BROWSER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'用户原始异常堆栈', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'oriErrStack'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前浏览器', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'curBrowser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'耗时毫秒单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_user_main', N'COLUMN', N'costMsUnit'
GO
CREATE TABLE [dbo].[xs_vendor_main] (
  [createTime] DATETIME2,
  [updateUser] VARCHAR(32),
  [initBondNoSrc] VARCHAR(32),
  [bondNoUnit] VARCHAR(8),
  [warrantyAmt] INT,
  [initVendorScore] VARCHAR(200),
  [ADMIT_FLAG_UNIT] VARCHAR(8),
  [rejectPct] FLOAT,
  [supplyKind] DATETIME2,
  [oriRejectPct] DECIMAL(10,2),
  [curVendorScoreDesc] VARCHAR(200),
  [maxVendorScoreDesc] VARCHAR(200),
  [vendorScoreVer] INT,
  [vendorScore] FLOAT,
  [rejectPctDesc] VARCHAR(200),
  [vendorName] DECIMAL(10,2),
  [lastRejectPct] INT,
  [blackFlag] DECIMAL(10,2),
  [VENDOR_SCORE_DESC] VARCHAR(200),
  [auditConc] DATETIME2,
  [oriAdmitFlagVer] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'供方主表', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'createTime'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'updateUser'
GO
EXEC sp_addextendedproperty N'MS_Description', N'供方初始履约保函来源', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'initBondNoSrc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'履约保函单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'bondNoUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'供方质保金', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'warrantyAmt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本供方的初始供货评分', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'initVendorScore'
GO
EXEC sp_addextendedproperty N'MS_Description', N'准入状态单位', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'ADMIT_FLAG_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'供方退货率', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'rejectPct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'供方供货品类', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'supplyKind'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始退货率', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'oriRejectPct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高供货评分说明，由供方岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'maxVendorScoreDesc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'供货评分版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'vendorScoreVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'供货评分', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'vendorScore'
GO
EXEC sp_addextendedproperty N'MS_Description', N'供应商名称', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'vendorName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次退货率', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'lastRejectPct'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本供方的黑名单', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'blackFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'供货评分说明，由供方岗录入', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'VENDOR_SCORE_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考察结论', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'auditConc'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始准入状态版本', N'SCHEMA', N'dbo', N'TABLE', N'xs_vendor_main', N'COLUMN', N'oriAdmitFlagVer'
GO
USE [STAFF_DB]
GO
CREATE TABLE [dbo].[HR_ATTN_DTL] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [CREW_CD] INT,
  [OT_HOURS_FLAG] CHAR(1),
  [LAST_SHIFT_CD_UNIT] VARCHAR(8),
  [ATTN_DATE_DESC] VARCHAR(200),
  [CLOCK_TM_TYPE] VARCHAR(16),
  [PLAN_SHIFT_CD] DECIMAL(12,3),
  [lastOtHours] DECIMAL(10,2),
  [INIT_LEAVE_TYPE_SRC] VARCHAR(32),
  [OT_HOURS_DESC] VARCHAR(200),
  [WORK_DAYS] DATETIME2,
  [PLAN_LEAVE_TYPE] INT,
  [LAST_OT_HOURS] DATETIME2,
  [ORI_SHIFT_CD] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤明细表', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤班组', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'CREW_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加班时长标记', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'OT_HOURS_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次班次单位', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'LAST_SHIFT_CD_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤日期说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'ATTN_DATE_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'打卡时刻类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'CLOCK_TM_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定班次', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'PLAN_SHIFT_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤初始请假类型来源', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'INIT_LEAVE_TYPE_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加班时长说明，由考勤岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'OT_HOURS_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤上次加班时长', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'LAST_OT_HOURS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始班次，由考勤岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_DTL', N'COLUMN', N'ORI_SHIFT_CD'
GO
CREATE TABLE [dbo].[HR_ATTN_HIS] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [SOS_CONTACT] FLOAT,
  [maxShiftCd] DECIMAL(10,2),
  [ATTN_DATE_DESC] VARCHAR(200),
  [ATTN_DATE] VARCHAR(64),
  [AVG_ROTA_MODE] DECIMAL(10,2),
  [CLOCK_TM_DESC] VARCHAR(200),
  [WORK_DAYS] DATETIME2,
  [INIT_CREW_CD] VARCHAR(64),
  [CREW_CD_TYPE] VARCHAR(16),
  [OT_HOURS] VARCHAR(64),
  [ROTA_MODE] VARCHAR(64),
  [CLOCK_TM_TYPE] VARCHAR(16),
  [workDaysType] VARCHAR(16),
  [ORI_LEAVE_TYPE] VARCHAR(64),
  [PINGJUN_JIANGJIN] DECIMAL(12,3),
  [BANK_CARD_FLAG] CHAR(1),
  [FUND_AMT] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤历史表', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'紧急联系人', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'SOS_CONTACT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高班次', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'maxShiftCd'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤日期说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'ATTN_DATE_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'ATTN_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均倒班模式', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'AVG_ROTA_MODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤打卡时刻说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'CLOCK_TM_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'出勤天数', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'WORK_DAYS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始班组', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'INIT_CREW_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'班组类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'CREW_CD_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'加班时长，由考勤岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'OT_HOURS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤倒班模式', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'ROTA_MODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤打卡时刻类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'CLOCK_TM_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'出勤天数类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'workDaysType'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始请假类型', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'ORI_LEAVE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均奖金', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'PINGJUN_JIANGJIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'银行卡号标记（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'BANK_CARD_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤公积金', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_HIS', N'COLUMN', N'FUND_AMT'
GO
CREATE TABLE [dbo].[HR_ATTN_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [REMARK] VARCHAR(500),
  [EMP_NAME_UNIT] VARCHAR(8),
  [HOME_ADDR] DATETIME2,
  [CLOCK_TM] VARCHAR(200),
  [shiftCd] VARCHAR(200),
  [ORI_SHIFT_CD] DATETIME2,
  [加班时长] DECIMAL(12,3),
  [实际倒班模式] DECIMAL(12,3),
  [CREW_CD] DATETIME2,
  [SHIFT_CD] DECIMAL(12,3),
  [INIT_ROTA_MODE] DECIMAL(10,2),
  [attnDate] VARCHAR(64),
  [OT_HOURS] DECIMAL(10,2),
  [ORI_OT_HOURS_VER] INT,
  [avgOtHours] VARCHAR(200),
  [CUR_FUND_AMT_VER] INT,
  [TAX_AMT_UNIT] VARCHAR(8),
  [PLAN_TAX_AMT] DATETIME2
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤主表', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'家庭住址', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'HOME_ADDR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'打卡时刻', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'CLOCK_TM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤班次', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'shiftCd'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤原始班次', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'ORI_SHIFT_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际倒班模式，保留两位小数，缺省时按上一条考勤记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'实际倒班模式'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本考勤的班组', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'CREW_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤班次', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'SHIFT_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始倒班模式', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'INIT_ROTA_MODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本考勤的考勤日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'attnDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始加班时长版本（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'ORI_OT_HOURS_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考勤平均加班时长', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'avgOtHours'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定个税，由考勤岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_ATTN_MAIN', N'COLUMN', N'PLAN_TAX_AMT'
GO
CREATE TABLE [dbo].[HR_DOC_DTL] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [DOC_TITLE] FLOAT,
  [SECRECY_TYPE] VARCHAR(16),
  [LAST_DOC_TITLE] VARCHAR(200),
  [FLOW_NODE] FLOAT,
  [ORI_SECRECY_DESC] VARCHAR(200),
  [DOC_NO] DECIMAL(12,3),
  [SIGNER] DECIMAL(10,2),
  [REAL_HANDLE_MEMO_UNIT] VARCHAR(8),
  [CUR_SIGNER] DECIMAL(10,2),
  [CUR_RULE_NAME_FLAG] CHAR(1),
  [HOST_NAME] DECIMAL(10,2),
  [REAL_ATTENDEE_DESC] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'公文明细表', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'/', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'密级类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'SECRECY_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次公文标题', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'LAST_DOC_TITLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'流转环节', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'FLOW_NODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始密级说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'ORI_SECRECY_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'公文发文字号', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'DOC_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本公文的签发人', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'SIGNER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际办理意见单位', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'REAL_HANDLE_MEMO_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前签发人', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'CUR_SIGNER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'公文当前制度名称标记', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'CUR_RULE_NAME_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'公文主持人', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'HOST_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际参会人员说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_DTL', N'COLUMN', N'REAL_ATTENDEE_DESC'
GO
CREATE TABLE [dbo].[HR_DOC_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [SECRECY] DECIMAL(10,2),
  [FLOW_NODE] VARCHAR(64),
  [ccOrg] VARCHAR(200),
  [HANDLE_MEMO_UNIT] VARCHAR(8),
  [RECV_DATE] DATETIME2,
  [INIT_HANDLE_MEMO] VARCHAR(200),
  [DOC_NO_DESC] VARCHAR(200),
  [ATTACH_NAME] VARCHAR(200),
  [ORI_CLAUSE_TXT] DECIMAL(10,2),
  [ORI_EFFECT_DATE] DECIMAL(10,2),
  [LAST_CLAUSE_TXT] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'公文主表', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'流转环节，保留两位小数，缺省时按上一条公文记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'FLOW_NODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'抄送单位', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'ccOrg'
GO
EXEC sp_addextendedproperty N'MS_Description', N'办理意见单位', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'HANDLE_MEMO_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'收文日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'RECV_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始办理意见，保留两位小数，缺省时按上一条公文记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'INIT_HANDLE_MEMO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发文字号说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'DOC_NO_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'附件名称', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'ATTACH_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始条款内容，保留两位小数，缺省时按上一条公文记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'ORI_CLAUSE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始生效日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'ORI_EFFECT_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次条款内容，由公文岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_DOC_MAIN', N'COLUMN', N'LAST_CLAUSE_TXT'
GO
CREATE TABLE [dbo].[HR_EMP_DAY] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [MARITAL] DECIMAL(12,3),
  [EMP_NAME] DATETIME2,
  [REAL_EMP_NAME] FLOAT,
  [SOS_CONTACT] INT,
  [XUELI_BIAOJI] CHAR(1),
  [REAL_HOME_ADDR] DATETIME2,
  [LAST_HOME_ADDR] INT,
  [lastNativePlaceFlag] CHAR(1),
  [HIRE_DATE_TYPE] VARCHAR(16),
  [HOME_ADDR] VARCHAR(64),
  [INIT_EDU_DEGREE] INT,
  [planSosContact] VARCHAR(200),
  [初始婚姻状况] INT,
  [PAY_MONTH] DECIMAL(12,3),
  [MAX_QUOTA_NUM] DATETIME2,
  [PLAN_CLASSROOM] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工日报表', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'婚姻状况', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'MARITAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'姓名，由员工岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'EMP_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工实际姓名', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'REAL_EMP_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'紧急联系人', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'SOS_CONTACT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'学历标记（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'XUELI_BIAOJI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际家庭住址', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'REAL_HOME_ADDR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本员工的上次家庭住址', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'LAST_HOME_ADDR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'入职日期类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'HIRE_DATE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'家庭住址', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'HOME_ADDR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始学历', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'INIT_EDU_DEGREE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工预定紧急联系人', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'planSosContact'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始婚姻状况', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'初始婚姻状况'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发薪月份', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'PAY_MONTH'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高编制人数', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'MAX_QUOTA_NUM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定教室', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DAY', N'COLUMN', N'PLAN_CLASSROOM'
GO
CREATE TABLE [dbo].[HR_EMP_DTL] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [HIRE_DATE] DATETIME2,
  [MARITAL_UNIT] VARCHAR(8),
  [EMP_NO] DATETIME2,
  [INIT_SOS_CONTACT] FLOAT,
  [MARITAL] FLOAT,
  [REAL_SOS_CONTACT_DESC] VARCHAR(200),
  [HOME_ADDR] INT,
  [POST_NAME] VARCHAR(200),
  [PARENT_POST] INT,
  [hearLimit] DATETIME2,
  [recheckDate] VARCHAR(200),
  [CLASSROOM] VARCHAR(64),
  [REAL_CLASSROOM] DECIMAL(12,3)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工明细表', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'入职日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'HIRE_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'婚姻状况单位，保留两位小数，缺省时按上一条员工记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'MARITAL_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工工号', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'EMP_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始紧急联系人', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'INIT_SOS_CONTACT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工婚姻状况', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'MARITAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际紧急联系人说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'REAL_SOS_CONTACT_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'家庭住址，由员工岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'HOME_ADDR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位名称，由员工岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'POST_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上级岗位，保留两位小数，缺省时按上一条员工记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'PARENT_POST'
GO
EXEC sp_addextendedproperty N'MS_Description', N'听力阈值', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'hearLimit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本员工的复查日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'recheckDate'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工教室', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'CLASSROOM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'-', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_DTL', N'COLUMN', N'REAL_CLASSROOM'
GO
CREATE TABLE [dbo].[HR_EMP_HIS] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [REAL_EDU_DEGREE_VER] INT,
  [MAX_EMP_NAME] VARCHAR(200),
  [SOS_CONTACT_TYPE] VARCHAR(16),
  [empName] DATETIME2,
  [NATIVE_PLACE] DECIMAL(10,2),
  [SOS_CONTACT] DATETIME2,
  [HIRE_DATE_VER] INT,
  [NET_PAY] DECIMAL(12,3),
  [MAX_POST_REQ_FLAG] CHAR(1),
  [岗位名称] VARCHAR(200),
  [RECHECK_DATE_FLAG] CHAR(1),
  [MAX_HEAR_LIMIT] DECIMAL(10,2),
  [TEACHER] VARCHAR(200),
  [MAX_ENROLL_FLAG_FLAG] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工历史表', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际学历版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'REAL_EDU_DEGREE_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'紧急联系人类别（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'SOS_CONTACT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工姓名', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'empName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工籍贯', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'NATIVE_PLACE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工紧急联系人', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'SOS_CONTACT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'入职日期版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'HIRE_DATE_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实发金额', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'NET_PAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高任职要求标记', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'MAX_POST_REQ_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位名称', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'岗位名称'
GO
EXEC sp_addextendedproperty N'MS_Description', N'复查日期标记', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'RECHECK_DATE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高听力阈值', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'MAX_HEAR_LIMIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工最高报名状态标记', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_HIS', N'COLUMN', N'MAX_ENROLL_FLAG_FLAG'
GO
CREATE TABLE [dbo].[HR_EMP_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [LAST_SOS_CONTACT] DECIMAL(12,3),
  [YUANSHI_XUELI] VARCHAR(64),
  [EMP_NO_TYPE] VARCHAR(16),
  [ORI_HIRE_DATE] DATETIME2,
  [avgNativePlace] DECIMAL(12,3),
  [EMP_NO] DECIMAL(10,2),
  [HIRE_DATE] VARCHAR(64),
  [SOS_CONTACT] INT,
  [REAL_MARITAL] DECIMAL(10,2),
  [NATIVE_PLACE] VARCHAR(200),
  [BANK_CARD] VARCHAR(200),
  [CUR_ENROLL_FLAG] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工主表', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次紧急联系人，由员工岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'LAST_SOS_CONTACT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始学历', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'YUANSHI_XUELI'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本员工的工号类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'EMP_NO_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本员工的原始入职日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'ORI_HIRE_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均籍贯', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'avgNativePlace'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工工号', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'EMP_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'入职日期，由员工岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'HIRE_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'紧急联系人', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'SOS_CONTACT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际婚姻状况', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'REAL_MARITAL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'员工籍贯', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'NATIVE_PLACE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'银行卡号', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'BANK_CARD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前报名状态', N'SCHEMA', N'dbo', N'TABLE', N'HR_EMP_MAIN', N'COLUMN', N'CUR_ENROLL_FLAG'
GO
CREATE TABLE [dbo].[HR_KPI_DTL] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [CUR_KPI_SCORE_TYPE] VARCHAR(16),
  [KPI_CYCLE] DECIMAL(10,2),
  [INIT_TALK_RESULT] VARCHAR(64),
  [KPI_ITEM_UNIT] VARCHAR(8),
  [SELF_MEMO] DECIMAL(10,2),
  [evalGradeVer] INT,
  [CUR_IMPROVE_GOAL] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前绩效得分类别，由绩效岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'CUR_KPI_SCORE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本绩效的考核周期', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'KPI_CYCLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'绩效初始面谈结果', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'INIT_TALK_RESULT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考核指标单位', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'KPI_ITEM_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'自评意见', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'SELF_MEMO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'评定等级版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'evalGradeVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前改进目标', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_DTL', N'COLUMN', N'CUR_IMPROVE_GOAL'
GO
CREATE TABLE [dbo].[HR_KPI_MAIN] (
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [SOS_CONTACT_DESC] VARCHAR(200),
  [MARITAL_DESC] VARCHAR(200),
  [INIT_TALK_RESULT] DECIMAL(10,2),
  [LAST_KPI_CYCLE] VARCHAR(64),
  [KPI_ITEM] VARCHAR(200),
  [EVAL_GRADE] VARCHAR(64),
  [KPI_WEIGHT_SRC] VARCHAR(32),
  [REAL_TALK_RESULT_TYPE] VARCHAR(16),
  [IMPROVE_GOAL_TYPE] VARCHAR(16),
  [ORI_KPI_CYCLE] VARCHAR(64)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'绩效主表', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'紧急联系人说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'SOS_CONTACT_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'婚姻状况说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'MARITAL_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始面谈结果', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'INIT_TALK_RESULT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'绩效上次考核周期', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'LAST_KPI_CYCLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'考核指标（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'KPI_ITEM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'评定等级（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'EVAL_GRADE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'指标权重来源', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'KPI_WEIGHT_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'绩效实际面谈结果类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'REAL_TALK_RESULT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'绩效改进目标类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'IMPROVE_GOAL_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本绩效的原始考核周期', N'SCHEMA', N'dbo', N'TABLE', N'HR_KPI_MAIN', N'COLUMN', N'ORI_KPI_CYCLE'
GO
CREATE TABLE [dbo].[HR_MEET_MAIN] (
  [ID] BIGINT,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [PARENT_DEPT] VARCHAR(64),
  [REAL_RECV_DATE] FLOAT,
  [AVG_DOC_NO] FLOAT,
  [handleMemo] VARCHAR(64),
  [ATTENDEE_VER] INT,
  [avgTodoItemUnit] VARCHAR(8),
  [RESOLUTION] VARCHAR(64),
  [MAX_SIGN_TM_VER] INT,
  [AVG_SIGN_TM] VARCHAR(200),
  [ORI_RESOLUTION] VARCHAR(64),
  [TODO_ITEM_VER] INT,
  [PLAN_SIGN_TM] VARCHAR(64),
  [PLAN_MEET_TOPIC_VER] INT,
  [MEET_ROOM_FLAG] CHAR(1)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'更新人员', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上级部门', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'PARENT_DEPT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际收文日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'REAL_RECV_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'会议平均发文字号', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'AVG_DOC_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'参会人员版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'ATTENDEE_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'会议平均待办事项单位', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'avgTodoItemUnit'
GO
EXEC sp_addextendedproperty N'MS_Description', N'会议决议', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'RESOLUTION'
GO
EXEC sp_addextendedproperty N'MS_Description', N'会议最高签到时间版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'MAX_SIGN_TM_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均签到时间（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'AVG_SIGN_TM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始会议决议', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'ORI_RESOLUTION'
GO
EXEC sp_addextendedproperty N'MS_Description', N'待办事项版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'TODO_ITEM_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定签到时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'PLAN_SIGN_TM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定会议主题版本，保留两位小数，缺省时按上一条会议记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'PLAN_MEET_TOPIC_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'会议室标记，保留两位小数，缺省时按上一条会议记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_MEET_MAIN', N'COLUMN', N'MEET_ROOM_FLAG'
GO
CREATE TABLE [dbo].[HR_ORG_DAY] (
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [CUR_QUOTA_NUM] INT,
  [CUR_DEPT_CD] DECIMAL(12,3),
  [ORG_NAME] DATETIME2,
  [CUR_ORG_LEVEL] DECIMAL(12,3),
  [FOUND_DATE] VARCHAR(64),
  [ORI_ORG_TEL] VARCHAR(64),
  [LEADER] DATETIME2,
  [ORG_TEL] DECIMAL(10,2),
  [OFFICE_LOC] VARCHAR(64),
  [CODE_SET_SRC] VARCHAR(32),
  [INIT_CODE_SET_SRC] VARCHAR(32),
  [DICT_VALUE] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录状态', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前编制人数，保留两位小数，缺省时按上一条机构记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'CUR_QUOTA_NUM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前部门代码，由机构岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'CUR_DEPT_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本机构的机构名称', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'ORG_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前机构层级', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'CUR_ORG_LEVEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成立日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'FOUND_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始联系电话', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'ORI_ORG_TEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构负责人', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'LEADER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'联系电话，由机构岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'ORG_TEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构办公地点', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'OFFICE_LOC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'代码集来源', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'CODE_SET_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始代码集来源', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'INIT_CODE_SET_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典键值', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_DAY', N'COLUMN', N'DICT_VALUE'
GO
CREATE TABLE [dbo].[HR_ORG_MAIN] (
  [ID] BIGINT,
  [LEADER] FLOAT,
  [ORG_LEVEL] VARCHAR(64),
  [DEPT_CD] VARCHAR(64),
  [OFFICE_LOC_SRC] VARCHAR(32),
  [MAX_OFFICE_LOC] DECIMAL(12,3),
  [MAX_DEPT_CD_SRC] VARCHAR(32),
  [ORG_TEL_VER] INT,
  [REAL_DICT_TYPE] DECIMAL(12,3),
  [REAL_SORT_NUM] DECIMAL(12,3),
  [REAL_DICT_TYPE_TYPE] VARCHAR(16),
  [MAX_LANG_CD_UNIT] VARCHAR(8),
  [DICT_VALUE] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构主表', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本机构的负责人', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'LEADER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构层级，保留两位小数，缺省时按上一条机构记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'ORG_LEVEL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'部门代码，由机构岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'DEPT_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'办公地点来源，保留两位小数，缺省时按上一条机构记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'OFFICE_LOC_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高办公地点', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'MAX_OFFICE_LOC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'联系电话版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'ORG_TEL_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'机构实际字典类型', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'REAL_DICT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际显示顺序', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'REAL_SORT_NUM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'REAL_DICT_TYPE_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高语种单位', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'MAX_LANG_CD_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'字典键值', N'SCHEMA', N'dbo', N'TABLE', N'HR_ORG_MAIN', N'COLUMN', N'DICT_VALUE'
GO
CREATE TABLE [dbo].[HR_PAY_DTL] (
  [CREATE_TIME] DATETIME2,
  [ORI_EDU_DEGREE] VARCHAR(64),
  [fundAmtVer] INT,
  [CUR_BANK_CARD] VARCHAR(200),
  [ALLOW_AMT_TYPE] VARCHAR(16),
  [BASE_PAY] DECIMAL(10,2),
  [BONUS] DECIMAL(12,3),
  [当前奖金] INT,
  [netPay] INT,
  [MAX_PAY_MONTH] VARCHAR(64),
  [AVG_ALLOW_AMT_TYPE] VARCHAR(16),
  [KPI_ITEM] VARCHAR(64),
  [LAST_KPI_ITEM_SRC] VARCHAR(32)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'薪资明细表', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始学历（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'ORI_EDU_DEGREE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'公积金版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'fundAmtVer'
GO
EXEC sp_addextendedproperty N'MS_Description', N'薪资津贴类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'ALLOW_AMT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'基本工资', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'BASE_PAY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'薪资奖金', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'BONUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'薪资当前奖金', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'当前奖金'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实发金额', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'netPay'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高发薪月份', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'MAX_PAY_MONTH'
GO
EXEC sp_addextendedproperty N'MS_Description', N'薪资平均津贴类别', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'AVG_ALLOW_AMT_TYPE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次考核指标来源', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_DTL', N'COLUMN', N'LAST_KPI_ITEM_SRC'
GO
CREATE TABLE [dbo].[HR_PAY_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [EMP_NAME] INT,
  [AVG_ALLOW_AMT] INT,
  [LAST_BANK_CARD] DECIMAL(10,2),
  [PAY_MONTH] VARCHAR(64),
  [FUND_AMT] DECIMAL(10,2),
  [BONUS] DECIMAL(12,3),
  [BASE_PAY] DECIMAL(10,2),
  [最高实发金额] VARCHAR(64),
  [EVAL_GRADE_FLAG] CHAR(1),
  [IMPROVE_GOAL_FLAG] CHAR(1),
  [selfMemo] DECIMAL(10,2),
  [TALK_RESULT] DECIMAL(10,2),
  [改进目标] VARCHAR(200),
  [ORI_IMPROVE_GOAL] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'薪资主表', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均津贴，保留两位小数，缺省时按上一条薪资记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'AVG_ALLOW_AMT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次银行卡号', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'LAST_BANK_CARD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'发薪月份', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'PAY_MONTH'
GO
EXEC sp_addextendedproperty N'MS_Description', N'薪资公积金', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'FUND_AMT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'奖金，由薪资岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'BONUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高实发金额', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'最高实发金额'
GO
EXEC sp_addextendedproperty N'MS_Description', N'评定等级标记，由薪资岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'EVAL_GRADE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'自评意见，保留两位小数，缺省时按上一条薪资记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'selfMemo'
GO
EXEC sp_addextendedproperty N'MS_Description', N'改进目标，由薪资岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'改进目标'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始改进目标，保留两位小数，缺省时按上一条薪资记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_PAY_MAIN', N'COLUMN', N'ORI_IMPROVE_GOAL'
GO
CREATE TABLE [dbo].[HR_POST_DTL] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [QUOTA_NUM] FLOAT,
  [STAFF_STD] INT,
  [CUR_POST_NAME] DECIMAL(10,2),
  [MAX_POST_NAME] INT,
  [AVG_STAFF_STD] VARCHAR(200),
  [REAL_STAFF_STD] VARCHAR(200),
  [VACANCY] DECIMAL(12,3),
  [CUR_POST_REQ] DATETIME2,
  [courseName] DECIMAL(10,2),
  [oriOrgTel] VARCHAR(64),
  [FOUND_DATE] DATETIME2,
  [MAX_LEADER] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位明细表', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL'
GO
EXEC sp_addextendedproperty N'MS_Description', N'唯一标识', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最后修改人', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'UPDATE_USER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'编制人数', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'QUOTA_NUM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'定员标准（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'STAFF_STD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前岗位名称', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'CUR_POST_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位最高岗位名称', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'MAX_POST_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位平均定员标准', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'AVG_STAFF_STD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位实际定员标准', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'REAL_STAFF_STD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'空缺人数', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'VACANCY'
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位当前任职要求', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'CUR_POST_REQ'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本岗位的课程名称', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'courseName'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始联系电话', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'oriOrgTel'
GO
EXEC sp_addextendedproperty N'MS_Description', N'成立日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'FOUND_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高负责人', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_DTL', N'COLUMN', N'MAX_LEADER'
GO
CREATE TABLE [dbo].[HR_POST_MAIN] (
  [ID] BIGINT,
  [REMARK] VARCHAR(500),
  [STAFF_STD] DECIMAL(12,3),
  [INIT_STAFF_STD] INT,
  [PARENT_POST] VARCHAR(64),
  [MAX_RANK_CD] VARCHAR(200),
  [CUR_POST_NAME_VER] INT,
  [POST_SERIES] DECIMAL(12,3),
  [TEACHER] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'定员标准，保留两位小数，缺省时按上一条岗位记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_MAIN', N'COLUMN', N'STAFF_STD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始定员标准', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_MAIN', N'COLUMN', N'INIT_STAFF_STD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上级岗位', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_MAIN', N'COLUMN', N'PARENT_POST'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高职级（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_MAIN', N'COLUMN', N'MAX_RANK_CD'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前岗位名称版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_MAIN', N'COLUMN', N'CUR_POST_NAME_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位序列，由岗位岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_MAIN', N'COLUMN', N'POST_SERIES'
GO
EXEC sp_addextendedproperty N'MS_Description', N'岗位讲师', N'SCHEMA', N'dbo', N'TABLE', N'HR_POST_MAIN', N'COLUMN', N'TEACHER'
GO
CREATE TABLE [dbo].[HR_RULE_HIS] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [curOrgLevel] DECIMAL(10,2),
  [MAX_FOUND_DATE] DECIMAL(12,3),
  [AVG_FOUND_DATE] INT,
  [CUR_ORG_LEVEL_FLAG] CHAR(1),
  [CC_ORG] FLOAT,
  [INIT_HANDLE_MEMO_SRC] VARCHAR(32),
  [ABOLISH_DATE] DATETIME2,
  [CLAUSE_TXT] VARCHAR(64),
  [初始制度名称] DATETIME2,
  [INIT_SCOPE_TXT] VARCHAR(64),
  [RULE_NAME_SRC] VARCHAR(32),
  [clauseTxt] DECIMAL(10,2),
  [EFFECT_DATE_SRC] VARCHAR(32),
  [CLAUSE_TXT_VER] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'制度历史表', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前机构层级', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'curOrgLevel'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高成立日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'MAX_FOUND_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均成立日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'AVG_FOUND_DATE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'当前机构层级标记', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'CUR_ORG_LEVEL_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'抄送单位', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'CC_ORG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始办理意见来源', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'INIT_HANDLE_MEMO_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'条款内容', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'CLAUSE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始适用范围（01：正常，02：异常，99：其他）', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'INIT_SCOPE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'制度名称来源', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'RULE_NAME_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'条款内容', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'clauseTxt'
GO
EXEC sp_addextendedproperty N'MS_Description', N'生效日期来源', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'EFFECT_DATE_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'无', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_HIS', N'COLUMN', N'CLAUSE_TXT_VER'
GO
CREATE TABLE [dbo].[HR_RULE_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [UPDATE_USER] VARCHAR(32),
  [REMARK] VARCHAR(500),
  [PARENT_DEPT] DECIMAL(10,2),
  [DOC_TITLE] VARCHAR(200),
  [CLAUSE_TXT] VARCHAR(200),
  [DRAFT_DEPT_DESC] VARCHAR(200),
  [ABOLISH_DATE_VER] INT,
  [LAST_ATTACH_NAME] DECIMAL(12,3),
  [ATTACH_NAME] DECIMAL(12,3),
  [DRAFT_DEPT] VARCHAR(200),
  [RULE_VER_SRC] VARCHAR(32),
  [ABOLISH_DATE_FLAG] CHAR(1),
  [SCOPE_TXT] DECIMAL(10,2),
  [EFFECT_DATE] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'制度主表', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上级部门，由制度岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'PARENT_DEPT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'公文标题', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'DOC_TITLE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'条款内容', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'CLAUSE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'起草部门说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'DRAFT_DEPT_DESC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'废止日期版本', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'ABOLISH_DATE_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'附件名称', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'ATTACH_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'起草部门', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'DRAFT_DEPT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'制度版本来源', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'RULE_VER_SRC'
GO
EXEC sp_addextendedproperty N'MS_Description', N'废止日期标记', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'ABOLISH_DATE_FLAG'
GO
EXEC sp_addextendedproperty N'MS_Description', N'适用范围', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'SCOPE_TXT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'生效日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_RULE_MAIN', N'COLUMN', N'EFFECT_DATE'
GO
CREATE TABLE [dbo].[HR_SEAL_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [REAL_FLOW_NODE] DECIMAL(10,2),
  [INIT_RETURN_FLAG] VARCHAR(200),
  [ORI_LICENSE_NO] INT,
  [REAL_SEAL_REASON] FLOAT,
  [LICENSE_NO] INT,
  [PLAN_YEAR_CHECK] VARCHAR(200),
  [LEND_DUE] VARCHAR(64),
  [YEAR_CHECK] DATETIME2,
  [lendDue] FLOAT,
  [ORI_YEAR_CHECK] DATETIME2,
  [INIT_YEAR_CHECK] DECIMAL(10,2),
  [SEAL_REASON] DECIMAL(12,3),
  [ORI_LEND_DUE_UNIT] VARCHAR(8),
  [MAX_LEND_DUE] VARCHAR(64),
  [realReturnFlag] INT,
  [SEAL_NAME] DECIMAL(10,2),
  [WARRANTY_AMT] FLOAT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'印章主表', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（0：停用，1：启用）', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注信息', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'实际流转环节', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'REAL_FLOW_NODE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始证照编号', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'ORI_LICENSE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'印章实际用印事由', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'REAL_SEAL_REASON'
GO
EXEC sp_addextendedproperty N'MS_Description', N'证照编号', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'LICENSE_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'年检日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'YEAR_CHECK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本印章的借用期限', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'lendDue'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始年检日期，由印章岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'ORI_YEAR_CHECK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'初始年检日期', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'INIT_YEAR_CHECK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'印章用印事由', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'SEAL_REASON'
GO
EXEC sp_addextendedproperty N'MS_Description', N'原始借用期限单位', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'ORI_LEND_DUE_UNIT'
GO
EXEC sp_addextendedproperty N'MS_Description', N'印章最高借用期限', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'MAX_LEND_DUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本印章的实际归还标志', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'realReturnFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'印章名称，由印章岗录入', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'SEAL_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'印章质保金', N'SCHEMA', N'dbo', N'TABLE', N'HR_SEAL_MAIN', N'COLUMN', N'WARRANTY_AMT'
GO
CREATE TABLE [dbo].[HR_TRAIN_DTL] (
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [HOME_ADDR] INT,
  [COURSE_NAME] INT,
  [RETRAIN_DUE] DECIMAL(10,2),
  [CLASSROOM] FLOAT,
  [MAX_COURSE_NAME] INT,
  [CERT_NO] VARCHAR(64),
  [LAST_DEDUCT_DESC] VARCHAR(200)
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_DTL', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_DTL', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_DTL', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'家庭住址', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_DTL', N'COLUMN', N'HOME_ADDR'
GO
EXEC sp_addextendedproperty N'MS_Description', N'课程名称', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_DTL', N'COLUMN', N'COURSE_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'复训期限', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_DTL', N'COLUMN', N'RETRAIN_DUE'
GO
EXEC sp_addextendedproperty N'MS_Description', N'培训教室', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_DTL', N'COLUMN', N'CLASSROOM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'最高课程名称', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_DTL', N'COLUMN', N'MAX_COURSE_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'资格证书', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_DTL', N'COLUMN', N'CERT_NO'
GO
CREATE TABLE [dbo].[HR_TRAIN_MAIN] (
  [ID] BIGINT,
  [CREATE_TIME] DATETIME2,
  [STATUS] CHAR(1),
  [REMARK] VARCHAR(500),
  [PLAN_EMP_NAME] FLOAT,
  [AVG_NATIVE_PLACE_VER] INT,
  [classroom] VARCHAR(64),
  [AVG_CERT_NO] DATETIME2,
  [LAST_CLASSROOM] VARCHAR(64),
  [avgClassroomFlag] CHAR(1),
  [MAX_PERMIT_NO] VARCHAR(64),
  [ORI_CHECK_AREA] INT,
  [PERMIT_NO] INT
)
GO
EXEC sp_addextendedproperty N'MS_Description', N'培训主表', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录主键', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'ID'
GO
EXEC sp_addextendedproperty N'MS_Description', N'记录创建时间', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'CREATE_TIME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'状态（Y：有效，N：无效）', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'STATUS'
GO
EXEC sp_addextendedproperty N'MS_Description', N'备注说明', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'REMARK'
GO
EXEC sp_addextendedproperty N'MS_Description', N'预定姓名', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'PLAN_EMP_NAME'
GO
EXEC sp_addextendedproperty N'MS_Description', N'/', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'AVG_NATIVE_PLACE_VER'
GO
EXEC sp_addextendedproperty N'MS_Description', N'本培训的教室', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'classroom'
GO
EXEC sp_addextendedproperty N'MS_Description', N'平均资格证书，保留两位小数，缺省时按上一条培训记录取', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'AVG_CERT_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'上次教室', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'LAST_CLASSROOM'
GO
EXEC sp_addextendedproperty N'MS_Description', N'培训平均教室标记', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'avgClassroomFlag'
GO
EXEC sp_addextendedproperty N'MS_Description', N'培训最高作业票号', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'MAX_PERMIT_NO'
GO
EXEC sp_addextendedproperty N'MS_Description', N'作业票号', N'SCHEMA', N'dbo', N'TABLE', N'HR_TRAIN_MAIN', N'COLUMN', N'PERMIT_NO'
GO
